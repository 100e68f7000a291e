//# title = "a RangeError keeps its name"
//# [expect.error]
//# code = "THROWN"
//# name = "RangeError"
//# message = 'its message'
//# line = 8
//# column = 7
throw new RangeError("its message");
