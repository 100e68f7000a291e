//# title = "a variable used before its declaration"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = "b is not initialized"
//# line = 10
//# column = 11
//# hint = "move the declaration of `b` before its first use"
const a = b + 1;
const b = 2;
return a;
//# [correction]
//# group = "names"
//# why = "A `const` or `let` has no value before the line that declares it."
//# program = '''
//# const b = 2;
//# const a = b + 1;
//# return a;
//# '''
//# [correction.expect]
//# result = '3'
