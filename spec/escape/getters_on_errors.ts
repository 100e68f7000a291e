//# title = "an error whose name, message and stack throw is THROWN without them"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'Error'
//# message = 'Error'
//# line = 11
//# column = 7
const error = new Error("x");
Object.defineProperties(error, { name: { get() { throw 1; } }, message: { get() { throw 2; } }, stack: { get() { throw 3; } } });
throw error;
