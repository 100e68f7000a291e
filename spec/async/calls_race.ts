//# title = "a race between calls is won by the faster"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wait", "applied"], ["demo.wait", "applied"]]
//# result = '{"waited":1}'
const calls = [tools.demo.wait({ ms: 60 }), tools.demo.wait({ ms: 1 })];
const winner = await Promise.race(calls);
await Promise.all(calls);
return winner;
