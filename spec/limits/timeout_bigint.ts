//# title = "the time-out stops arithmetic with huge numbers"
//# limits = { timeout = "150ms" }
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 150ms'
//# stoppedIn = [9, 10]
let n = 3n ** 100000n;
for (;;) n = (n * n) % (7n ** 200000n);
