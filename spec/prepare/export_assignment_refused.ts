//# title = "export = is refused"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = '`export =` is not available'
//# line = 8
//# column = 1
export = { a: 1 };
