//# title = "a BigInt can be thrown"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = '10n'
//# line = 8
//# column = 7
throw 10n;
