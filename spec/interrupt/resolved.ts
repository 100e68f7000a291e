//# title = "a tool asks for something from outside, and is called again with it and with the same key"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.login", "interrupt"]]
//# payloads = ['{"url":"https://login.example.com","for":"drive"}']
//# calls = [["spec.login", "pending"]]
//# resolve = { 0 = '{"user":"ada"}' }
//# [expect]
//# result = '{"with":{"user":"ada"},"call":"0"}'
//# calls = [["spec.login", "applied"]]
return await tools.spec.login({ for: "drive" });
