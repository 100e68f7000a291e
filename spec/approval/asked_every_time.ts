//# title = "a decision holds for one call where nothing else is said"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# approve = "all"
//# [[passes]]
//# pending = [["1", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '[{"paid":1},{"paid":1}]'
//# calls = [["spec.pay", "applied"], ["spec.pay", "applied"]]
return [await tools.spec.pay({ amount: 1 }), await tools.spec.pay({ amount: 1 })];
