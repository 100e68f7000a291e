//# title = "import() of a package is refused before anything runs"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = '`fs` cannot be imported'
//# line = 10
//# column = 25
//# hint = "only the program's own files can be imported; the tools are in `tools.…`"
console.log("not reached");
const fs = await import("fs");
return 1;
