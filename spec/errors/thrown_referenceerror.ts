//# title = "a ReferenceError keeps its name"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = 'its message'
//# line = 8
//# column = 7
throw new ReferenceError("its message");
