//# title = "a then that swallows the answer makes a program wait for ever, which is DEADLOCK"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"]]
//# [expect.error]
//# code = "DEADLOCK"
//# name = 'DeadlockError'
//# message = 'the program awaits a promise that can never resolve'
Object.defineProperty(Promise.prototype, "constructor", { value: class Fake {} });
(Promise.prototype as any).then = function () {};
await tools.demo.echo({ a: 1 });
return 1;
