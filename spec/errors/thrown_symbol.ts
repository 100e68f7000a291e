//# title = "a symbol can be thrown"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'Symbol(s)'
//# line = 8
//# column = 7
throw Symbol("s");
