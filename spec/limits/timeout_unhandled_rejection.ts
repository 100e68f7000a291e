//# title = "the time-out stops a getter of an unhandled error"
//# limits = { timeout = "500ms" }
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 500ms'
//# line = 10
//# column = 72
Promise.reject(Object.defineProperty(new Error(), "message", { get() { for (;;) {} } }));
return 1;
