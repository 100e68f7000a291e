//# title = "the time-out stops an endless generator that is spread"
//# limits = { timeout = "100ms", memory = "64MiB" }
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 100ms'
//# stoppedIn = [9, 10]
function* forever() { for (;;) yield; }
for (const each of forever());
