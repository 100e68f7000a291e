//# title = "a caller that gave up before is not told of mistakes either"
//# cancelAfterPolls = 0
//# expect.error.code = "ABORTED"
//# expect.error.name = "AbortError"
//# expect.error.message = "the caller cancelled the execution"
return 1 +;
