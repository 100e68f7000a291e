//# title = "the time-out fires while a tool is awaited, and what became of the call is unknown"
//# tools = "demo"
//# limits = { timeout = "500ms" }
//# [expect]
//# calls = [["demo.wait", "cancelled-unknown"]]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 500ms: it was waiting for its call of `demo.wait`'
//# line = 13
//# column = 18
//# details = { limit = "timeout" }
await tools.demo.wait({ ms: 20000 });
