//# title = "an execution is rejected without a reason"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# end = "reject"
//# [expect]
//# calls = [["spec.pay", "issued"]]
//# [expect.error]
//# code = "REJECTED"
//# name = "RejectedError"
//# message = 'ada rejected the execution'
await tools.spec.pay({ amount: 1 });
