//# title = "an error without a message has an empty one"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = ''
//# line = 8
//# column = 11
throw new Error();
