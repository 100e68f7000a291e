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
//# [correction]
//# group = "names"
//# why = "`const` and `let` declare a name once in a block. Assign to the variable, or choose another name."
//# program = '''
//# let total = 1;
//# total = 2;
//# return total;
//# '''
//# [correction.expect]
//# result = '2'
