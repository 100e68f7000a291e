//# title = "a key called __proto__ in an answer is an own key"
//# tools = "spec"
//# [expect]
//# calls = [["spec.value", "applied"]]
//# result = '[["__proto__","a"],true,1]'
const value = await tools.spec.value({ kind: "proto" });
return [Object.keys(value), value.polluted === undefined, value.a];
