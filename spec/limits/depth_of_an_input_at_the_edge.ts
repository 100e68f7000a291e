//# title = "an input that is nested 100 levels deep goes to the tool and back"
//# tools = "demo"
//# [expect]
//# result = '100'
//# calls = [["demo.echo", "applied"]]
let deep: unknown = 1;
for (let i = 0; i < 100; i++) deep = [deep];
let back = await tools.demo.echo(deep);
let levels = 0;
while (Array.isArray(back)) { back = back[0]; levels++; }
return levels;
