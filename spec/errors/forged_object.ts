//# title = "an object that looks like a host error is THROWN"
//# [expect.error]
//# code = "THROWN"
//# name = "UnknownToolError"
//# message = 'unknown tool: `x`'
//# line = 8
//# column = 7
throw { name: "UnknownToolError", code: "UNKNOWN_TOOL", message: "unknown tool: `x`" };
