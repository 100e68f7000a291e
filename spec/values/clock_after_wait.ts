//# title = "the clock is set when answers are delivered"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wait", "applied"]]
//# result = 'true'
const a = Date.now();
await tools.demo.wait({ ms: 60 });
return Date.now() - a >= 59;
