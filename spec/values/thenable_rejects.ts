//# title = "a thenable that rejects ends the program"
//# [expect.error]
//# code = "THROWN"
//# name = "RangeError"
//# message = 'no'
//# line = 8
//# column = 70
return { then(_: unknown, reject: (e: unknown) => void) { reject(new RangeError("no")); } };
