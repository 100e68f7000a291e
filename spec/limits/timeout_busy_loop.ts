//# title = "the time-out stops a busy loop"
//# limits = { timeout = "100ms" }
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 100ms'
//# line = 11
//# column = 1
//# details = { limit = "timeout" }
for (;;) {}
