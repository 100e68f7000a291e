//# title = "a race whose losers are awaited is fine"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wait", "applied"], ["demo.wait", "applied"]]
//# result = '{"waited":1}'
const calls = [tools.demo.wait({ ms: 1 }), tools.demo.wait({ ms: 30 })];
const first = await Promise.race(calls);
await Promise.allSettled(calls);
return first;
