//# title = "a tool that panics before there is a future fails its call, and nothing else"
//# tools = "spec"
//# [expect]
//# result = '["the tool failed",1]'
//# calls = [["spec.panicBeforeFuture", "failed"], ["demo.echo", "applied"]]
const message = await tools.spec.panicBeforeFuture({}).catch((error) => error.message);
return [message, await tools.demo.echo(1)];
