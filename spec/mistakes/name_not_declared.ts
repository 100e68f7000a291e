//# title = "a variable that was never declared"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = "total is not defined"
//# line = 10
//# column = 1
//# hint = "declare the variable first: `let total = …`"
total = 0;
return total;
//# [correction]
//# group = "names"
//# why = "Programs run in strict mode, in which an assignment does not declare a variable."
//# program = '''
//# let total = 0;
//# total += 1;
//# return total;
//# '''
//# [correction.expect]
//# result = '1'
