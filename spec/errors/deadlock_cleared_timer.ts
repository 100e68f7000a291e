//# title = "waiting for a timer that was cleared is DEADLOCK"
//# [expect.error]
//# code = "DEADLOCK"
//# name = "DeadlockError"
//# message = 'the program awaits a promise that can never resolve'
//# hint = 'no tool call and no timer is active that could resolve it'
await new Promise((resolve) => {
  const timer = setTimeout(resolve, 100000);
  clearTimeout(timer);
});
