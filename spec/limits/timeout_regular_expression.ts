//# title = "the time-out stops a catastrophic regular expression"
//# limits = { timeout = "100ms" }
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 100ms'
return /^(a+)+$/.test("a".repeat(60) + "!");
