//# title = "rates count over pauses: a call that was approved counts once"
//# tools = "spec"
//# policy = [{ tools = "spec.pay", rate = 2 }]
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# approve = "all"
//# [[passes]]
//# pending = [["1", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '[1,2,"CALL_LIMIT"]'
//# calls = [["spec.pay", "applied"], ["spec.pay", "applied"], ["spec.pay", "failed"]]
const all = [await tools.spec.pay({ amount: 1 }), await tools.spec.pay({ amount: 2 })];
return [...all.map((one) => one.paid), await tools.spec.pay({ amount: 3 }).catch((error) => error.code)];
