//# title = "a promise that nothing resolves is DEADLOCK at once"
//# [expect.error]
//# code = "DEADLOCK"
//# name = "DeadlockError"
//# message = 'the program awaits a promise that can never resolve'
//# hint = 'no tool call and no timer is active that could resolve it'
await new Promise(() => {});
return 1;
