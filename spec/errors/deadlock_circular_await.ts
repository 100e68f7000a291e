//# title = "functions that await each other are DEADLOCK"
//# [expect.error]
//# code = "DEADLOCK"
//# name = "DeadlockError"
//# message = 'the program waits for something that can never come'
//# hint = 'it awaits a promise that nothing will ever resolve: no tool call and no timer is under way'
let a: any, b: any;
a = (async () => { await null; return await b; })();
b = (async () => { await null; return await a; })();
return await a;
