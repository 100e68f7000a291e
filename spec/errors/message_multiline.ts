//# title = "a message with lines that look like a stack does not move the position"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = "first\n    at fake (main.ts:77:7)"
//# line = 9
//# column = 7
const error = new Error("first\n    at fake (main.ts:77:7)");
throw error;
