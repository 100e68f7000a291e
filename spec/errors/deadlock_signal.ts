//# title = "waiting for an abort that never comes is DEADLOCK"
//# [expect.error]
//# code = "DEADLOCK"
//# name = "DeadlockError"
//# message = 'the program waits for something that can never come'
//# hint = 'it awaits a promise that never resolves: no tool call and no timer is active'
const { signal } = new AbortController();
await new Promise((resolve) => signal.addEventListener("abort", resolve));
