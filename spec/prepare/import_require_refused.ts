//# title = "import x = require() is refused"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = '`import … = require(…)` is not available'
//# line = 8
//# column = 1
import fs = require("fs");
return fs;
