//# title = "an error that is named like one of the host is THROWN"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'ToolError'
//# message = 'the tool failed'
//# line = 10
//# column = 7
class ToolError extends Error { constructor() { super("the tool failed"); this.name = "ToolError"; } code = "TOOL"; }
throw new ToolError();
