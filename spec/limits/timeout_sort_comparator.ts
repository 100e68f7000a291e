//# title = "the time-out stops a sort comparator"
//# limits = { timeout = "100ms" }
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 100ms'
//# line = 10
//# column = 21
[2, 1].sort(() => { for (;;) {} });
