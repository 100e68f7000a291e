//# title = "the time-out stops a busy loop that goes on while a call is under way"
//# checks = "off"
//# tools = "demo"
//# limits = { timeout = "1s" }
//# [expect]
//# calls = [["demo.wait", "cancelled-unknown"], ["demo.echo", "applied"]]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 1s'
//# line = 15
//# column = 1
const slow = tools.demo.wait({ ms: 20000 });
await tools.demo.echo({});
for (;;) {}
