//# title = "a code that the program made up is THROWN"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'Error'
//# message = 'x'
//# line = 10
//# column = 7
const error = new Error("x");
throw Object.assign(error, { code: "TIMEOUT", origin: 1, seq: "0", details: { limit: 1 } });
