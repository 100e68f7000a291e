//# title = "a default import of a module that is not available is refused"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = '`fs` cannot be imported'
//# line = 9
//# column = 16
//# hint = "there is no file system; use a tool that reads or writes files, in `tools.…`"
import fs from "fs";
return fs.readFileSync("a");
