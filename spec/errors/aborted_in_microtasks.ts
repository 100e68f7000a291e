//# title = "an endless chain of microtasks is stopped"
//# cancelAfterPolls = 20
//# expect.error.code = "ABORTED"
//# expect.error.name = "AbortError"
//# expect.error.message = "the caller cancelled the execution"
for (;;) await null;
