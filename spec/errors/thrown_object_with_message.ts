//# title = "an object with name and message is taken for an error"
//# [expect.error]
//# code = "THROWN"
//# name = "Custom"
//# message = 'from an object'
//# line = 8
//# column = 7
throw { name: "Custom", message: "from an object", code: 5 };
