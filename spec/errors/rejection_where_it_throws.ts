//# title = "the error that ends the program is not logged as well"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'once'
//# line = 8
//# column = 7
throw new Error("once");
