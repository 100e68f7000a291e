//# title = "the time-out stops a loop inside a built-in"
//# limits = { timeout = "100ms" }
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 100ms'
return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);
