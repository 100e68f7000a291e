//# title = "a proxy can be thrown"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'inside'
//# line = 8
//# column = 1
throw new Proxy(new Error("inside"), {});
