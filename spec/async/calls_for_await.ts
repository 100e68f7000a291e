//# title = "for await over calls takes them in order"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wait", "applied"], ["demo.wait", "applied"]]
//# result = '[30,1]'
const seen = [];
for await (const one of [30, 1].map((ms) => tools.demo.wait({ ms }))) seen.push(one.waited);
return seen;
