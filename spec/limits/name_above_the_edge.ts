//# title = "the name of a thrown error is cut after a hundred characters"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn…'
//# message = 'x'
//# line = 9
//# column = 21
throw Object.assign(new Error("x"), { name: "n".repeat(101) });
