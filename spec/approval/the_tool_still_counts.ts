//# title = "the time of a call that was approved counts"
//# tools = "demo"
//# approver = "yes"
//# policy = [{ tools = "demo.wait", require = "approval" }]
//# limits = { timeout = "1s" }
//# [expect]
//# calls = [["demo.wait", "cancelled-unknown"]]
//# [expect.error]
//# code = "TIMEOUT"
//# name = "TimeoutError"
//# message = "the program took longer than 1s: it was waiting for its call of `demo.wait`"
//# line = 14
//# column = 18
await tools.demo.wait({ ms: 20_000 });
