//# title = "calls that are awaited one by one run one after the other"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"]]
//# result = 'true'
const before = Date.now();
for (let i = 0; i < 3; i++) await tools.demo.wait({ ms: 40 });
return Date.now() - before >= 115;
