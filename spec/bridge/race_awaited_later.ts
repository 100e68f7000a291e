//# title = "the loser of a race that is awaited later is fine"
//# tools = "demo"
//# [expect]
//# result = '["fast",{"waited":50}]'
//# calls = [["demo.wait", "applied"], ["demo.echo", "applied"]]
const slow = tools.demo.wait({ ms: 50 });
const first = await Promise.race([slow, tools.demo.echo("fast")]);
return [first, await slow];
