//# title = "who decides sees nothing that the policy redacts, and the tool gets it"
//# tools = "spec"
//# policy = [{ tools = "spec.pay", redact = ["/amount"] }]
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# inputs = ['{"amount":"[redacted]"}']
//# approve = "all"
//# [expect]
//# result = '7'
//# calls = [["spec.pay", "applied"]]
return (await tools.spec.pay({ amount: 7 })).paid;
