//# title = "waiting for a timer that was cleared is DEADLOCK"
//# [expect.error]
//# code = "DEADLOCK"
//# name = "DeadlockError"
//# message = 'the program waits for something that can never come'
//# hint = 'it awaits a promise that never resolves: no tool call and no timer is active'
await new Promise((resolve) => {
  const timer = setTimeout(resolve, 100000);
  clearTimeout(timer);
});
