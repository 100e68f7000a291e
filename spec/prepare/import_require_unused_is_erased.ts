//# title = "import x = require() that is only used as a type is erased, as by the TypeScript compiler"
//# [expect]
//# result = '["1","/"]'
import fs = require("fs");
import path = require("path");
class Store implements fs.Stats {}
const size: fs.BigIntStats | string = "1";
return [size, path.sep];
