//# title = "undefined can be thrown"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'undefined'
//# line = 8
//# column = 7
throw undefined;
