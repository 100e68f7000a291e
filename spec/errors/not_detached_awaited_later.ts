//# title = "a call may be awaited later than it was made"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"], ["demo.wait", "applied"]]
//# result = '{"a":1}'
const call = tools.demo.echo({ a: 1 });
await tools.demo.wait({ ms: 20 });
return await call;
