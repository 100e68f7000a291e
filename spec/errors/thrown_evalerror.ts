//# title = "a EvalError keeps its name"
//# [expect.error]
//# code = "THROWN"
//# name = "EvalError"
//# message = 'its message'
//# line = 8
//# column = 7
throw new EvalError("its message");
