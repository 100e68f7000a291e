//# title = "a timer of 0 ms does not wait for a slow call"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wait", "applied"]]
//# result = '["timer","call"]'
const seen: string[] = [];
const call = tools.demo.wait({ ms: 60 }).then(() => seen.push("call"));
setTimeout(() => seen.push("timer"), 0);
await call;
return seen;
