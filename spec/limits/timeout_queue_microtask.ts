//# title = "the time-out stops functions that queue themselves"
//# limits = { timeout = "100ms" }
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 100ms'
//# stoppedIn = [9, 11]
const again = () => queueMicrotask(again);
again();
await new Promise(() => {});
