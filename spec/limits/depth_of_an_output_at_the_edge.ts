//# title = "an output that is nested 127 levels deep is delivered"
//# tools = "spec"
//# [expect]
//# result = '127'
//# calls = [["spec.nested", "applied"]]
let back = await tools.spec.nested({ depth: 127 });
let levels = 0;
while (Array.isArray(back)) { back = back[0]; levels++; }
return levels;
