//# title = "everything that waits is shown at once, and decided at once"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"], ["1", "spec.pay", "approval"], ["2", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '[1,2,3]'
//# calls = [["spec.pay", "applied"], ["spec.pay", "applied"], ["spec.pay", "applied"]]
return (await Promise.all([1, 2, 3].map((amount) => tools.spec.pay({ amount })))).map((one) => one.paid);
