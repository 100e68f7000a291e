//# title = "calls above the limit in flight wait for their turn"
//# tools = "demo"
//# limits = { inFlight = 2 }
//# [expect]
//# result = 'true'
//# calls = [["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"]]
const start = Date.now();
await Promise.all(Array.from({ length: 4 }, () => tools.demo.wait({ ms: 50 })));
return Date.now() - start >= 100;
