//# title = "a pause may be longer than the time-out"
//# tools = "spec"
//# limits = { timeout = "1500ms" }
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# takes = "2s"
//# approve = "all"
//# [expect]
//# result = '{"paid":1}'
//# calls = [["spec.pay", "applied"]]
return await tools.spec.pay({ amount: 1 });
