//# title = "a proxy can be thrown"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'inside'
//# line = 9
//# column = 7
const proxy = new Proxy(new Error("inside"), {});
throw proxy;
