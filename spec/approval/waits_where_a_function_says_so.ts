//# title = "a call waits where a function of its input says that it needs approval, and not otherwise"
//# tools = "spec"
//# [[passes]]
//# pending = [["1", "spec.tip", "approval"]]
//# calls = [["spec.tip", "applied"], ["spec.tip", "pending"]]
//# approve = "all"
//# [expect]
//# result = '[{"paid":10},{"paid":11}]'
//# calls = [["spec.tip", "applied"], ["spec.tip", "applied"]]
return [await tools.spec.tip({ amount: 10 }), await tools.spec.tip({ amount: 11 })];
