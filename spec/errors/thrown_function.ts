//# title = "a function can be thrown"
//# [expect.error]
//# code = "THROWN"
//# name = "oops"
//# message = '[Function: oops]'
//# line = 8
//# column = 7
throw function oops() {};
