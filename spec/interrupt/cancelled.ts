//# title = "an execution whose tool waits for something is cancelled like any other"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.login", "interrupt"]]
//# payloads = ['{"url":"https://login.example.com","for":"a"}']
//# end = "cancel"
//# [expect]
//# calls = [["spec.login", "issued"]]
//# [expect.error]
//# code = "ABORTED"
//# name = "AbortError"
//# message = 'ada cancelled the execution'
await tools.spec.login({ for: "a" });
