//# title = "a program that computes is stopped, and its log is kept"
//# cancelAfterPolls = 20
//# expect.error.code = "ABORTED"
//# expect.error.name = "AbortError"
//# expect.error.message = "the caller cancelled the execution"
//# expect.logs = [["log", "started"]]
console.log("started");
for (;;) {}
