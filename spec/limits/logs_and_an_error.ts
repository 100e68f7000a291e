//# title = "a full log does not hide how the program failed"
//# limits = { logs = 20 }
//# [expect]
//# logs = [["warn", "LOG_LIMIT: the log is full (20 bytes); what follows is dropped"]]
//# [expect.error]
//# code = "THROWN"
//# name = 'Error'
//# message = 'boom'
//# line = 12
//# column = 7
console.log("does not fit");
throw new Error("boom");
