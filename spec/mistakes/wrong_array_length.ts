//# title = "a list of a negative length"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "RangeError"
//# message = "invalid array length"
//# line = 9
//# column = 12
return new Array(-1).fill(0);
