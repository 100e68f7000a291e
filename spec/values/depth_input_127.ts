//# title = "the input of a tool may be nested 127 levels deep"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"]]
//# result = '"accepted"'
let value: any = 1;
for (let i = 0; i < 127; i++) value = [value];
await tools.demo.echo(value);
return "accepted";
