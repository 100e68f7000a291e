//# title = "time from before a pause counts towards the time-out, and the pause does not"
//# crashChanges = "time that passed since something was last written is lost with the process"
//# tools = "spec"
//# limits = { timeout = "3s" }
//# [[passes]]
//# pending = [["1", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# calls = [["demo.wait", "applied"], ["spec.pay", "applied"], ["demo.wait", "cancelled-unknown"]]
//# [expect.error]
//# code = "TIMEOUT"
//# name = "TimeoutError"
//# message = "the program took longer than 3s: it was waiting for its call of `demo.wait`"
//# line = 18
//# column = 18
await tools.demo.wait({ ms: 2000 });
await tools.spec.pay({ amount: 1 });
await tools.demo.wait({ ms: 2000 });
