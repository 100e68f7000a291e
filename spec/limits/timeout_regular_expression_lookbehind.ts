//# title = "the time-out stops a catastrophic expression inside a look-behind"
//# limits = { timeout = "100ms" }
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 100ms'
//# line = 10
//# column = 26
return /(?<=^b(?:a+)+)!/.test("c" + "a".repeat(60) + "!");
