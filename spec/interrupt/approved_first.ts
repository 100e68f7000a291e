//# title = "a call that needs approval and then something from outside waits for both, one after the other"
//# tools = "spec"
//# policy = [{ tools = "spec.login", require = "approval" }]
//# [[passes]]
//# pending = [["0", "spec.login", "approval"]]
//# approve = "all"
//# [[passes]]
//# pending = [["0", "spec.login", "interrupt"]]
//# payloads = ['{"url":"https://login.example.com","for":"a"}']
//# resolve = { 0 = 'null' }
//# [expect]
//# result = 'null'
//# calls = [["spec.login", "applied"]]
return (await tools.spec.login({ for: "a" })).with;
