//# title = "what was remembered is still known after another pause"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# approve = "all"
//# remember = "execution"
//# [[passes]]
//# pending = [["1", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '{"paid":1}'
//# calls = [["spec.pay", "applied"], ["spec.pay", "applied"], ["spec.pay", "applied"]]
await tools.spec.pay({ amount: 1 });
await tools.spec.pay({ amount: 2 });
return await tools.spec.pay({ amount: 1 });
