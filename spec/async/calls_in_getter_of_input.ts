//# title = "calls may be made while an input is read"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"]]
//# result = '[{"a":2},{"b":1}]'
const inner: Promise<any>[] = [];
const outer = await tools.demo.echo({ get a() { inner.push(tools.demo.echo({ b: 1 })); return 2; } });
return [outer, await inner[0]];
