//# title = "32 calls run at once, and the 33rd waits for one of them"
//# tools = "demo"
//# limits = { timeout = "300ms" }
//# [expect]
//# calls = [["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "cancelled-unknown"], ["demo.wait", "issued"]]
//# [expect.error]
//# code = "TIMEOUT"
//# name = "TimeoutError"
//# message = "the program took longer than 300ms: it was waiting for its call of `demo.wait` and 32 more"
//# line = 12
//# column = 63
await Promise.all(Array.from({ length: 33 }, () => tools.demo.wait({ ms: 60_000 })));
