//# title = "a frozen error is reported like others"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = 'frozen'
//# line = 8
//# column = 7
throw Object.freeze(new TypeError("frozen"));
