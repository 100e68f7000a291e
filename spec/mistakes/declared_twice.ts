//# title = "a name declared twice"
//# tools = "demo"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = "the name `total` is declared twice"
//# line = 10
//# column = 7
const total = 1;
const total = 2;
return total;
