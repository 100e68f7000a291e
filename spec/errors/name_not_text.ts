//# title = "a name that is no text is left out"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'm'
//# line = 8
//# column = 7
throw { name: 5, message: "m" };
