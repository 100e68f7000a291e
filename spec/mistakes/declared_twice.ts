//# title = "a name declared twice"
//# tools = "demo"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = "the name `total` is declared twice"
//# line = 11
//# column = 7
//# hint = "it stands first at line 1, column 7"
const total = 1;
const total = 2;
return total;
