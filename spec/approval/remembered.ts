//# title = "a decision that is remembered holds for the same tool with the same input, however its keys are ordered"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# approve = "all"
//# remember = "execution"
//# [[passes]]
//# pending = [["2", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '[{"paid":1},{"paid":1},{"paid":1}]'
//# calls = [["spec.pay", "applied"], ["spec.pay", "applied"], ["spec.pay", "applied"]]
const all = [await tools.spec.pay({ amount: 1, to: "a" }), await tools.spec.pay({ to: "a", amount: 1 })];
return [...all, await tools.spec.pay({ amount: 1, to: "b" })];
