//# title = "export = is refused"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = '?'
//# line = 8
//# column = 1
export = { a: 1 };
