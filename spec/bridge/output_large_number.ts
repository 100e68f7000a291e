//# title = "a number that is too large for JavaScript is rounded as JSON.parse does"
//# tools = "spec"
//# [expect]
//# result = '9007199254740992'
//# calls = [["spec.value", "applied"]]
return await tools.spec.value({ kind: "number" });
