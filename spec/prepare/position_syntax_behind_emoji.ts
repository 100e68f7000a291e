//# title = "columns of syntax errors count characters"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = 'unexpected `=`'
//# line = 8
//# column = 23
const s = "😀ä"; const = 1;
