//# title = "a path may be written with brackets and kept in a variable"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"]]
//# result = '{"a":1}'
const name = "echo";
const echo = tools["demo"][name];
return await echo({ a: 1 });
