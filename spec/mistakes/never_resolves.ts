//# title = "a promise that never settles"
//# tools = "demo"
//# [expect.error]
//# code = "DEADLOCK"
//# name = "DeadlockError"
//# message = "the program waits for something that can never come"
//# hint = "it awaits a promise that never resolves: no tool call and no timer is active"
await new Promise(() => {});
return 1;
