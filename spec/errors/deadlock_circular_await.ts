//# title = "functions that await each other are DEADLOCK"
//# [expect.error]
//# code = "DEADLOCK"
//# name = "DeadlockError"
//# message = 'the program waits for something that can never come'
//# hint = 'it awaits a promise that never resolves: no tool call and no timer is active'
let a: any, b: any;
a = (async () => { await null; return await b; })();
b = (async () => { await null; return await a; })();
return await a;
