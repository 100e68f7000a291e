//# title = "a code on the program's own error changes nothing"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'mine'
//# line = 8
//# column = 7
throw Object.assign(new Error("mine"), { code: "TIMEOUT" });
