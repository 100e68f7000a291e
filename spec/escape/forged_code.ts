//# title = "a code that the program made up is THROWN"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'Error'
//# message = 'x'
//# line = 9
//# column = 21
throw Object.assign(new Error("x"), { code: "TIMEOUT", origin: 1, seq: "0", details: { limit: 1 } });
