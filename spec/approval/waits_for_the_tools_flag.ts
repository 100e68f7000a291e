//# title = "a call of a tool that wants approval waits, and is made once somebody approves it"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# calls = [["spec.pay", "pending"]]
//# approve = "all"
//# [expect]
//# result = '{"paid":3}'
//# calls = [["spec.pay", "applied"]]
return await tools.spec.pay({ amount: 3 });
