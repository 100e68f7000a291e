//# title = "an answer with a then is plain data"
//# tools = "spec"
//# [expect]
//# calls = [["spec.value", "applied"]]
//# result = '["not a function",["then","constructor"]]'
const value = await tools.spec.value({ kind: "thenable" });
return [value.then, Object.keys(value)];
