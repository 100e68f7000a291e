//# title = "a program that waits for nothing that can come is DEADLOCK at once"
//# tools = "demo"
//# limits = { timeout = "20s" }
//# [expect]
//# calls = [["demo.echo", "applied"]]
//# [expect.error]
//# code = "DEADLOCK"
//# name = 'DeadlockError'
//# message = 'the program awaits a promise that can never resolve'
await tools.demo.echo(1);
await new Promise(() => {});
