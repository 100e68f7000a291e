//# title = "DEADLOCK is found after calls as well"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"]]
//# [expect.error]
//# code = "DEADLOCK"
//# name = "DeadlockError"
//# message = 'the program waits for something that can never come'
//# hint = 'it awaits a promise that never resolves: no tool call and no timer is active'
await tools.demo.echo({});
await new Promise(() => {});
