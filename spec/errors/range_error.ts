//# title = "an invalid array length is a RangeError"
//# [expect.error]
//# code = "THROWN"
//# name = "RangeError"
//# message = 'invalid array length'
//# line = 8
//# column = 12
return new Array(-1);
