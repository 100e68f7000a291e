//# title = "the time-out stops a getter of the result, even after a proxy"
//# limits = { timeout = "100ms" }
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 100ms'
//# line = 10
//# column = 36
return new Proxy({}, { ownKeys() { for (;;) {} } });
