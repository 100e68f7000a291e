//# title = "a SyntaxError keeps its name"
//# [expect.error]
//# code = "THROWN"
//# name = "SyntaxError"
//# message = 'its message'
//# line = 8
//# column = 11
throw new SyntaxError("its message");
