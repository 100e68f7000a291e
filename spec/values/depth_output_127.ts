//# title = "an answer may be nested 127 levels deep"
//# tools = "spec"
//# [expect]
//# calls = [["spec.nested", "applied"]]
//# result = '127'
let value = await tools.spec.nested({ depth: 127 });
let depth = 0;
for (; Array.isArray(value); depth++) value = value[0];
return depth;
