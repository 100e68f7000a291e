//# title = "time from before a pause counts towards the time-out, and the pause does not"
//# tools = "spec"
//# limits = { timeout = "600ms" }
//# [[passes]]
//# pending = [["1", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# calls = [["demo.wait", "applied"], ["spec.pay", "applied"], ["demo.wait", "cancelled-unknown"]]
//# [expect.error]
//# code = "TIMEOUT"
//# name = "TimeoutError"
//# message = "the program took longer than 600ms"
await tools.demo.wait({ ms: 300 });
await tools.spec.pay({ amount: 1 });
await tools.demo.wait({ ms: 20_000 });
