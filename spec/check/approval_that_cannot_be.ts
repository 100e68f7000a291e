//# title = "a call that needs an approval which its tool cannot wait for is found"
//# tools = "spec"
//# policy = [{ tools = "spec.password", require = "approval" }]
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'the call of `spec.password` needs approval, which a tool whose results are not stored cannot wait for: rule 1 (`spec.password`) asks for approval'
//# line = 11
//# column = 25
return await tools.spec.password({});
