//# title = "Promise.all of calls keeps the order of the calls"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"]]
//# result = '[30,1,15]'
const all = await Promise.all([30, 1, 15].map((ms) => tools.demo.wait({ ms })));
return all.map((one) => one.waited);
