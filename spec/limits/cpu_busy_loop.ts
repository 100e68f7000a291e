//# title = "processor time is limited by itself"
//# limits = { timeout = "20s", cpu = "50ms" }
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program used more than 50ms of processor time'
//# line = 11
//# column = 1
//# details = { limit = "cpu" }
for (;;) {}
