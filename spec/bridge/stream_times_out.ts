//# title = "a stream that never ends is given up at the time-out, and what it told was told"
//# tools = "spec"
//# limits = { timeout = "200ms" }
//# [expect]
//# calls = [["spec.stream", "cancelled-unknown"]]
//# progress = [["spec.stream", "1"], ["spec.stream", "2"]]
//# [expect.error]
//# code = "TIMEOUT"
//# name = "TimeoutError"
//# message = "the program took longer than 200ms: it was waiting for its call of `spec.stream`"
//# line = 13
//# column = 18
await tools.spec.stream({ values: [1, 2], end: "hang" });
