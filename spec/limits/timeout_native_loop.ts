//# title = "the time-out stops a loop inside a built-in"
//# limits = { timeout = "100ms" }
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 100ms'
//# line = 10
//# column = 32
return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);
