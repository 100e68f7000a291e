//# title = "Symbol.toStringTag makes no promise and no error of an object"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'Error'
//# message = 'x'
//# line = 10
//# column = 7
const forged = { [Symbol.toStringTag]: "Error", message: "x", stack: "    at forged (main.ts:1:1)" };
throw forged;
