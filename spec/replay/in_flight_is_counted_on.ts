//# title = "a pending call is in flight: above the limit the next one waits its turn"
//# tools = "spec"
//# limits = { inFlight = 1 }
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# calls = [["spec.pay", "pending"], ["spec.pay", "issued"]]
//# approve = "all"
//# [[passes]]
//# pending = [["1", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '[1,2]'
//# calls = [["spec.pay", "applied"], ["spec.pay", "applied"]]
return (await Promise.all([1, 2].map((amount) => tools.spec.pay({ amount })))).map((one) => one.paid);
