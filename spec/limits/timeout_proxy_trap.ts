//# title = "the time-out stops a trap that is called while the thrown value is described"
//# limits = { timeout = "100ms" }
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 100ms'
//# line = 10
//# column = 31
throw new Proxy({}, { get() { for (;;) {} } });
