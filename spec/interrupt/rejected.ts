//# title = "an execution whose tool waits for something is rejected like any other"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.login", "interrupt"]]
//# payloads = ['{"url":"https://login.example.com","for":"a"}']
//# end = "reject"
//# [expect]
//# calls = [["spec.login", "issued"]]
//# [expect.error]
//# code = "REJECTED"
//# name = "RejectedError"
//# message = 'ada rejected the execution'
await tools.spec.login({ for: "a" });
