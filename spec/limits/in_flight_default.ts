//# title = "32 calls run at once, and the 33rd waits for one of them"
//# tools = "demo"
//# limits = { timeout = "20s" }
//# [expect]
//# result = 'true'
//# calls = [["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"]]
const start = Date.now();
await Promise.all(Array.from({ length: 40 }, () => tools.demo.wait({ ms: 60 })));
const took = Date.now() - start;
return took >= 115 && took < 2000;
