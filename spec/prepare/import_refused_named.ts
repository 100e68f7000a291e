//# title = "a named import of a package is refused"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = '`lodash` cannot be imported'
//# line = 9
//# column = 23
//# hint = "use the methods of arrays and objects, such as `map`, `filter`, `reduce` and `Object.groupBy`"
import { chunk } from "lodash";
return chunk([1], 1);
