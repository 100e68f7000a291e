//# title = "a program that would sleep past its lifetime ends with TIMEOUT, which names that limit"
//# [config.limits]
//# lifetime = "2100ms"
//# [[passes]]
//# sleeps = true
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = "TimeoutError"
//# message = "the program waits for a timer, and its execution is older than 2.1s"
//# hint = "let it wait for a shorter time, or raise the limit `lifetime`"
//# details = { limit = "lifetime" }
await new Promise((done) => setTimeout(done, Infinity));
