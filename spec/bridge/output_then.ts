//# title = "an output with a then is data, not a promise"
//# tools = "spec"
//# [expect]
//# result = '{"then":"not a function","constructor":{"prototype":null}}'
//# calls = [["spec.value", "applied"]]
return await tools.spec.value({ kind: "thenable" });
