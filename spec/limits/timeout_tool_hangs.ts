//# title = "a tool that never answers ends in the time-out, not in a deadlock"
//# tools = "spec"
//# limits = { timeout = "100ms" }
//# [expect]
//# calls = [["spec.hang", "cancelled-unknown"]]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 100ms'
await tools.spec.hang({});
