//# title = "a program that sleeps holds nothing, and wakes in another process with all that it knew"
//# tools = "demo"
//# [config.limits]
//# lifetime = "1h"
//# timeout = "2s"
//# [[passes]]
//# sleeps = true
//# [[passes]]
//# sleeps = true
//# [expect]
//# result = '[["a","b"],true,3]'
//# logs = [["log", "before"], ["log", "between"], ["log", "after"]]
//# calls = [["demo.echo", "applied"]]
const before = Date.now();
const seen = new Set(["a"]);
console.log("before");
await new Promise((done) => setTimeout(done, 2050));
console.log("between");
seen.add("b");
const echo = await tools.demo.echo({ n: 3 });
await new Promise((done) => setTimeout(done, 2050));
console.log("after");
return [[...seen], Date.now() - before >= 2100, echo.n];
