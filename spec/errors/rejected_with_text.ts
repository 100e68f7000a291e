//# title = "a promise that is rejected with text ends the program"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'only text'
await Promise.reject("only text");
