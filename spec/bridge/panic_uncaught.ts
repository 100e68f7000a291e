//# title = "an uncaught panic of a tool is TOOL"
//# tools = "spec"
//# [expect]
//# calls = [["spec.panic", "failed"]]
//# [expect.error]
//# code = "TOOL"
//# name = 'ToolError'
//# message = 'the tool failed'
//# line = 12
//# column = 18
//# details = { tool = "spec.panic", seq = "0" }
await tools.spec.panic({});
