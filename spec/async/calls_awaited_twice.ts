//# title = "a call may be awaited more than once, and is made once"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"]]
//# result = '[true,{"a":1}]'
const call = tools.demo.echo({ a: 1 });
const [x, y] = await Promise.all([call, call]);
return [x === y, await call];
