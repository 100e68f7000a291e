//# title = "a regular expression that never ends is stopped"
//# cancelAfterPolls = 20
//# expect.error.code = "ABORTED"
//# expect.error.name = "AbortError"
//# expect.error.message = "the caller cancelled the execution"
return /^(a+)+$/.test("a".repeat(60) + "b");
