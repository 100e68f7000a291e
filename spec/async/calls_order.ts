//# title = "calls are numbered in the order in which they were made"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wait", "applied"], ["demo.echo", "applied"], ["demo.text", "applied"]]
//# result = '1'
const b = tools.demo.wait({ ms: 20 });
const a = tools.demo.echo({});
await a;
await tools.demo.text({ letters: 1 });
await b;
return 1;
