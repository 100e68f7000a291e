//# title = "waiting for an abort that never comes is DEADLOCK"
//# [expect.error]
//# code = "DEADLOCK"
//# name = "DeadlockError"
//# message = 'the program awaits a promise that can never resolve'
//# hint = 'no tool call and no timer is active that could resolve it'
const { signal } = new AbortController();
await new Promise((resolve) => signal.addEventListener("abort", resolve));
