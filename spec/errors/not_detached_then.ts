//# title = "a then on a call counts as awaiting it"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"], ["demo.wait", "applied"]]
//# result = '{"a":1}'
let seen;
tools.demo.echo({ a: 1 }).then((value: any) => { seen = value; });
await tools.demo.wait({ ms: 20 });
return seen;
