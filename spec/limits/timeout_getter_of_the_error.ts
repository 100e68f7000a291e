//# title = "the time-out stops a getter of the error that ends the program"
//# limits = { timeout = "100ms" }
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 100ms'
//# line = 10
//# column = 66
throw Object.defineProperty(new Error("x"), "message", { get() { for (;;) {} } });
