//# title = "a program goes on after a call that failed"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"], ["demo.echo", "applied"]]
//# result = '["fallback",{"a":1}]'
const first = await tools.demo.fail({ message: "x" }).catch(() => "fallback");
return [first, await tools.demo.echo({ a: 1 })];
