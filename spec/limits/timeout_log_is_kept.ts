//# title = "what was logged before the time-out is in the outcome, also from the step that was stopped"
//# tools = "demo"
//# limits = { timeout = "1s" }
//# [expect]
//# logs = [["log", "one"], ["warn", "two"]]
//# calls = [["demo.echo", "applied"]]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 1s'
//# line = 16
//# column = 1
console.log("one");
await tools.demo.echo({});
console.warn("two");
for (;;) {}
