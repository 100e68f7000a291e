//# title = "a syntax error that the engine finds in a transformed program has the author's position"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = "expecting ')'"
//# line = 10
//# column = 12
enum E { A }

const re = /(/;
return re;
