//# title = "a program that catches CALL_LIMIT goes on, and the limit stays"
//# tools = "demo"
//# limits = { calls = 1 }
//# [expect]
//# result = '["first","CALL_LIMIT","CALL_LIMIT","still here"]'
//# calls = [["demo.echo", "applied"]]
const seen: unknown[] = [await tools.demo.echo("first")];
for (let i = 0; i < 2; i++) seen.push(await tools.demo.echo(i).catch((error) => error.code));
return [...seen, "still here"];
