//# title = "a tool that never answers ends in the time-out, not in a deadlock"
//# tools = "spec"
//# limits = { timeout = "500ms" }
//# [expect]
//# calls = [["spec.hang", "cancelled-unknown"]]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 500ms: it was waiting for its call of `spec.hang`'
//# line = 12
//# column = 18
await tools.spec.hang({});
