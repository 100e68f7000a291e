//# title = "a stack that the program writes does not move the position"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'm'
//# line = 10
//# column = 7
const error = new Error("m");
error.stack = "at nowhere (main.ts:999:1)";
throw error;
