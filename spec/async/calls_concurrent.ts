//# title = "calls that are made before an await run at the same time"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"]]
//# result = 'true'
const before = Date.now();
await Promise.all(Array.from({ length: 10 }, () => tools.demo.wait({ ms: 100 })));
return Date.now() - before < 600;
