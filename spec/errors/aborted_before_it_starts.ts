//# title = "nothing runs for a caller that gave up before"
//# cancelAfterPolls = 0
//# expect.error.code = "ABORTED"
//# expect.error.name = "AbortError"
//# expect.error.message = "the caller cancelled the execution"
console.log("never");
return 1;
