//# title = "a tool can be passed as a callback"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"]]
//# result = '[{"a":1}]'
const first = [1, 2].map((n) => n);
const calls = [{ a: 1 }].map((x) => tools.demo.echo(x));
return await Promise.all(calls);
