//# title = "the outcome says as little"
//# tools = "spec"
//# [expect]
//# calls = [["spec.secret", "failed"]]
//# [expect.error]
//# code = "TOOL"
//# name = 'ToolError'
//# message = 'the tool failed'
//# line = 12
//# column = 18
//# details = { tool = "spec.secret", seq = "0" }
await tools.spec.secret({});
