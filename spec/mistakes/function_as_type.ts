//# title = "an instance of Function"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = "Function is not defined"
//# line = 11
//# column = 21
//# hint = "write `typeof value === \"function\"` instead"
const f = () => 1;
return f instanceof Function;
//# [correction]
//# group = "absent"
//# why = "`Function` is not there, because it makes code from text. `typeof` tells a function."
//# program = '''
//# const f = () => 1;
//# return typeof f === "function";
//# '''
//# [correction.expect]
//# result = 'true'
