//# title = "the name of a thrown error is cut after a hundred characters"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn…'
//# message = 'x'
//# line = 9
//# column = 19
const error = new Error("x");
error.name = "n".repeat(101);
throw error;
