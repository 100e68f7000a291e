//# title = "a namespace import of a module that is not available is refused"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = '`node:fs/promises` cannot be imported'
//# line = 9
//# column = 21
//# hint = "there is no file system here; call a tool, or keep data in variables and return it"
import * as fs from "node:fs/promises";
return fs.readFile("a");
