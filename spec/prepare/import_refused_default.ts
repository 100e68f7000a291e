//# title = "a default import of a package is refused"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = '`fs` cannot be imported'
//# line = 9
//# column = 16
//# hint = "only the program's own files can be imported; the tools are in `tools.…`"
import fs from "fs";
return 1;
