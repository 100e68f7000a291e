//# title = "a tool asks again where what it got is not enough"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.login", "interrupt"]]
//# payloads = ['{"url":"https://login.example.com","for":null}']
//# resolve = { 0 = '{"asked":1}' }
//# [[passes]]
//# pending = [["0", "spec.login", "interrupt"]]
//# payloads = ['{"url":"https://login.example.com","for":null}']
//# resolve = { 0 = '{"asked":2}' }
//# [expect]
//# result = '{"asked":2}'
//# calls = [["spec.login", "applied"]]
return (await tools.spec.login({ times: 2 })).with;
