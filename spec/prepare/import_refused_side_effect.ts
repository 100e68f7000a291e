//# title = "a side effect import of a package is refused"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = '`https://example.com/x.js` cannot be imported'
//# line = 9
//# column = 8
//# hint = "only the program's own files can be imported; the tools are in `tools.…`"
import "https://example.com/x.js";
return 1;
