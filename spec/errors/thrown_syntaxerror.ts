//# title = "a SyntaxError keeps its name"
//# [expect.error]
//# code = "THROWN"
//# name = "SyntaxError"
//# message = 'its message'
//# line = 8
//# column = 7
throw new SyntaxError("its message");
