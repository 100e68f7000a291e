//# title = "a very long name is cut after 100 characters"
//# differsFromNode = "only the name is compared, and Node does not cut"
//# [expect.error]
//# code = "THROWN"
//# name = "NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN…"
//# message = 'm'
//# line = 11
//# column = 7
const error = new Error("m");
error.name = "N".repeat(200);
throw error;
