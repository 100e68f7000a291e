//# title = "the time-out stops an endless chain of microtasks"
//# limits = { timeout = "100ms" }
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 100ms'
//# stoppedIn = [10, 11]
//# details = { limit = "timeout" }
const again = () => Promise.resolve().then(again);
await again();
