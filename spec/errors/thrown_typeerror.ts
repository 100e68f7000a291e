//# title = "a TypeError keeps its name"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = 'its message'
//# line = 8
//# column = 7
throw new TypeError("its message");
