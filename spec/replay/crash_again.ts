//# title = "a call that is made again may take the process with it again"
//# tools = "spec"
//# [[passes]]
//# crash = true
//# [[passes]]
//# crash = true
//# [[passes]]
//# crash = true
//# [expect]
//# result = '{"done":1}'
//# calls = [["spec.crashSafely", "applied"]]
return await tools.spec.crashSafely(1);
