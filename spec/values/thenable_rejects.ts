//# title = "a thenable that rejects ends the program"
//# [expect.error]
//# code = "THROWN"
//# name = "RangeError"
//# message = 'no'
return { then(_: unknown, reject: (e: unknown) => void) { reject(new RangeError("no")); } };
