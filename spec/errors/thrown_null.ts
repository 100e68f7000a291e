//# title = "null can be thrown"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'null'
//# line = 8
//# column = 7
throw null;
