//# title = "an import that is only used as a type is erased, as by the TypeScript compiler"
//# [expect]
//# result = '1'
import { z } from "zod";
import fs from "fs";
type Shape = z.infer<unknown>;
class Store implements fs.Stats {}
return 1 as Shape;
