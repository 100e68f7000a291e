//# title = "the clock never runs backwards"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wait", "applied"]]
//# result = 'true'
let last = 0;
for (let i = 0; i < 3000; i++) last = Date.now();
await tools.demo.wait({ ms: 1 });
return Date.now() > last;
