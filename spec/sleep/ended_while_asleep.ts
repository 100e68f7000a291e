//# title = "a sleeping program is cancelled without waking"
//# [config.limits]
//# lifetime = "2h"
//# [[passes]]
//# sleeps = true
//# end = "cancel"
//# reason = "no longer needed"
//# [expect]
//# logs = [["log", "before"]]
//# [expect.error]
//# code = "ABORTED"
//# name = "AbortError"
//# message = "ada cancelled the execution: no longer needed"
console.log("before");
await new Promise((done) => setTimeout(done, 3600e3));
console.log("after");
