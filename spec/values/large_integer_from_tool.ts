//# title = "an integer that is too large for a number is rounded as JSON.parse does"
//# tools = "spec"
//# [expect]
//# calls = [["spec.value", "applied"]]
//# result = 'true'
return (await tools.spec.value({ kind: "number" })) === JSON.parse("9007199254740993");
