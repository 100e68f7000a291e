//# title = "names and messages that are no text count as none"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'Error'
//# message = 'Error'
//# line = 11
//# column = 7
const error = new Error();
Object.assign(error, { name: { toString() { return "x"; } }, message: 7, code: "TIMEOUT" });
throw error;
