//# title = "the time-out of the execution is that of its snippets"
//# tools = "demo"
//# limits = { timeout = "1s" }
//# crashChanges = "the time that a dead process used is not known"
//# [snippets]
//# waits = 'await tools.demo.wait({ ms: 4000 })'
//# [expect]
//# calls = [["codemode.run", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"]]
//# [expect.error]
//# code = "TIMEOUT"
//# name = "TimeoutError"
//# message = "the program took longer than 1s: it was waiting for its call of `demo.wait`"
return codemode.run("waits");
