//# title = "the name of a host error on the program's own error is only a name"
//# [expect.error]
//# code = "THROWN"
//# name = "ToolError"
//# message = 'mine'
//# line = 8
//# column = 19
const error = new Error("mine");
error.name = "ToolError";
(error as any).code = "TOOL";
throw error;
