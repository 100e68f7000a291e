//# title = "a call that is made after the answer of another never runs at the same time"
//# tools = "spec"
//# limits = { timeout = "100ms" }
//# [expect]
//# calls = [["spec.gather", "cancelled-unknown"]]
//# [expect.error]
//# code = "TIMEOUT"
//# name = "TimeoutError"
//# message = "the program took longer than 100ms: it was waiting for its call of `spec.gather`"
//# line = 12
//# column = 18
await tools.spec.gather({ count: 2 });
await tools.spec.gather({ count: 2 });
