//# title = "import x = require() of a module that is not available is refused"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = '`fs` cannot be imported'
//# line = 9
//# column = 21
//# hint = "there is no file system here; call a tool, or keep data in variables and return it"
import fs = require("fs");
return fs;
