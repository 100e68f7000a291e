//# title = "the time-out stops a catastrophic regular expression"
//# limits = { timeout = "100ms" }
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 100ms'
//# line = 10
//# column = 18
return /^(a+)+$/.test("a".repeat(60) + "!");
