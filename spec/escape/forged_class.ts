//# title = "an error that is named like one of the host is THROWN"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'ToolError'
//# message = 'the tool failed'
//# line = 11
//# column = 7
class ToolError extends Error { code = "TOOL"; get name() { return "ToolError"; } }
throw new ToolError("the tool failed");
