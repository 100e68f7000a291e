//# title = "the time-out stops toJSON of the result"
//# limits = { timeout = "100ms" }
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 100ms'
//# line = 10
//# column = 21
return { toJSON() { for (;;) {} } };
