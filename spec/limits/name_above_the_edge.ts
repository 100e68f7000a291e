//# title = "the name of a thrown error is cut after a hundred characters"
//# differsFromNode = "Node does not cut names"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn…'
//# message = 'x'
//# line = 12
//# column = 7
const error = new Error("x");
error.name = "n".repeat(101);
throw error;
