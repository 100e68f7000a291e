//# title = "the time-out fires while a timer is awaited"
//# limits = { timeout = "100ms" }
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 100ms'
await new Promise((resolve) => setTimeout(resolve, 20000));
