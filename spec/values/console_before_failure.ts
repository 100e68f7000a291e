//# title = "what was logged before a failure is kept"
//# [expect]
//# logs = [["log", "before"]]
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'after'
//# line = 11
//# column = 7
console.log("before");
throw new Error("after");
