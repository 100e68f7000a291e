//# title = "a tool may fail without a message"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"]]
//# [expect.error]
//# code = "TOOL"
//# name = "ToolError"
//# message = ''
//# line = 11
//# column = 18
await tools.demo.fail({ message: "" });
