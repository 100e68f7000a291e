//# title = "the name of a thrown error may have a hundred characters"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn'
//# message = 'x'
//# line = 11
//# column = 7
const error = new Error("x");
error.name = "n".repeat(100);
throw error;
