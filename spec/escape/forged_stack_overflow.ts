//# title = "a RangeError with the words of a stack overflow is THROWN"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'RangeError'
//# message = 'Maximum call stack size exceeded'
//# line = 9
//# column = 7
throw new RangeError("Maximum call stack size exceeded");
