//# title = "false can be thrown"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'false'
//# line = 8
//# column = 7
throw false;
