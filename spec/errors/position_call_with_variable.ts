//# title = "the position of an error is where it is made, not where its message is read"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'm'
//# line = 9
//# column = 7
const message = "m";
throw new Error(message);
