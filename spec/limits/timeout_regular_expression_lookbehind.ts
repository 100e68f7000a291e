//# title = "the time-out stops a catastrophic expression inside a look-behind"
//# limits = { timeout = "100ms" }
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 100ms'
return "x".concat("a".repeat(40)).replace(/(?<=^x(a|aa)+)b/g, "");
