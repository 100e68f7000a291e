//# title = "a list of a negative length"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "RangeError"
//# message = "invalid array length"
//# line = 9
//# column = 12
return new Array(-1).fill(0);
//# [correction]
//# group = "builtins"
//# why = "A length cannot be negative or fractional. Check the number that it was computed from."
//# program = '''
//# const count = -1;
//# return new Array(Math.max(0, count)).fill(0);
//# '''
//# [correction.expect]
//# result = '[]'
