//# title = "a number that is thrown is the message"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = '42'
//# line = 8
//# column = 7
throw 42;
