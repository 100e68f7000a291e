//# title = "an error that is named like one of the host is THROWN"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'ToolError'
//# message = 'the tool failed'
//# line = 11
//# column = 7
class ToolError extends Error { constructor() { super("the tool failed"); this.name = "ToolError"; } code = "TOOL"; }
throw new ToolError();
