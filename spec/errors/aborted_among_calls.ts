//# title = "what was answered is applied, what was under way is unknown, what waited for its turn never started"
//# tools = "spec"
//# limits.inFlight = 2
//# expect.error.code = "ABORTED"
//# expect.error.name = "AbortError"
//# expect.error.message = "the caller cancelled the execution"
//# expect.calls = [["demo.echo", "applied"], ["spec.hang", "cancelled-unknown"], ["spec.cancel", "cancelled-unknown"], ["demo.echo", "issued"]]
await tools.demo.echo({});
await Promise.all([tools.spec.hang(), tools.spec.cancel(), tools.demo.echo({})]);
