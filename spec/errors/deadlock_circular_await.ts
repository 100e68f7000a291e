//# title = "functions that await each other are DEADLOCK"
//# [expect.error]
//# code = "DEADLOCK"
//# name = "DeadlockError"
//# message = 'the program awaits a promise that can never resolve'
//# hint = 'no tool call and no timer is active that could resolve it'
let a: any, b: any;
a = (async () => { await null; return await b; })();
b = (async () => { await null; return await a; })();
return await a;
