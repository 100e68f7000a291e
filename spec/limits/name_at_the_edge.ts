//# title = "the name of a thrown error may have a hundred characters"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn'
//# message = 'x'
//# line = 9
//# column = 21
throw Object.assign(new Error("x"), { name: "n".repeat(100) });
