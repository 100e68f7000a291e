//# title = "a call that is under way when the caller gives up may have taken effect"
//# tools = "spec"
//# expect.error.code = "ABORTED"
//# expect.error.name = "AbortError"
//# expect.error.message = "the caller cancelled the execution"
//# expect.calls = [["spec.cancel", "cancelled-unknown"]]
return await tools.spec.cancel();
