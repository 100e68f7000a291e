//# title = "a namespace import of a package is refused"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = '`node:path` cannot be imported'
//# line = 9
//# column = 23
//# hint = "only the program's own files can be imported; the tools are in `tools.…`"
import * as path from "node:path";
return 1;
