//# title = "an output that is nested 100 levels deep is delivered"
//# tools = "spec"
//# [expect]
//# result = '100'
//# calls = [["spec.nested", "applied"]]
let back = await tools.spec.nested({ depth: 100 });
let levels = 0;
while (Array.isArray(back)) { back = back[0]; levels++; }
return levels;
