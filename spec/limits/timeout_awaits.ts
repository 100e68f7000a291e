//# title = "the time-out stops a loop that only awaits"
//# limits = { timeout = "100ms" }
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 100ms'
//# stoppedIn = [9, 9]
for (;;) await null;
