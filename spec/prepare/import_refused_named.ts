//# title = "a named import of a package is refused"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = '`lodash` cannot be imported'
//# line = 9
//# column = 23
//# hint = "use the methods of Array and Object, such as map, flatMap, Object.groupBy and structuredClone"
import { chunk } from "lodash";
return chunk([1], 1);
