//# title = "a relative import in a program of one file is refused"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = '`./x` cannot be imported'
//# line = 9
//# column = 19
//# hint = "only the program's own files can be imported; the tools are in `tools.…`"
import { x } from "./x";
return x;
