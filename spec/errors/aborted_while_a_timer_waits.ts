//# title = "a timer that waits does not hold up a caller that gives up"
//# tools = "spec"
//# expect.error.code = "ABORTED"
//# expect.error.name = "AbortError"
//# expect.error.message = "the caller cancelled the execution"
//# expect.calls = [["spec.cancel", "cancelled-unknown"]]
tools.spec.cancel().catch(() => {});
await new Promise((resolve) => setTimeout(resolve, 1e9));
