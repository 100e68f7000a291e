//# title = "the time-out stops the reviver of JSON.parse"
//# limits = { timeout = "100ms" }
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 100ms'
//# line = 10
//# column = 27
JSON.parse("[1]", () => { for (;;) {} });
