//# title = "`null` is something to be given"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.login", "interrupt"]]
//# payloads = ['{"url":"https://login.example.com","for":null}']
//# resolve = { 0 = 'null' }
//# [expect]
//# result = 'null'
//# calls = [["spec.login", "applied"]]
return (await tools.spec.login()).with;
