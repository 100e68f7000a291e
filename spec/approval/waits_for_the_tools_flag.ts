//# title = "a call of a tool that needs approval waits, and is made once it is approved"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# calls = [["spec.pay", "pending"]]
//# approve = "all"
//# [expect]
//# result = '{"paid":3}'
//# calls = [["spec.pay", "applied"]]
return await tools.spec.pay({ amount: 3 });
