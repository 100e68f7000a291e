//# title = "ten calls at once take as long as one"
//# tools = "demo"
//# limits = { timeout = "900ms" }
//# [expect]
//# result = '10'
//# calls = [["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"]]
const all = await Promise.all(Array.from({ length: 10 }, () => tools.demo.wait({ ms: 150 })));
return all.length;
