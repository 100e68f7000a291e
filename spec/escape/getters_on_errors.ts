//# title = "an error whose name, message and stack throw is THROWN without them"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'Error'
//# message = '[unreadable]'
//# line = 10
//# column = 1
const error = Object.defineProperties(new Error("x"), { name: { get() { throw 1; } }, message: { get() { throw 2; } }, stack: { get() { throw 3; } } });
throw error;
