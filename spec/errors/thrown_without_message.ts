//# title = "an error without a message has an empty one"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = ''
//# line = 8
//# column = 7
throw new Error();
