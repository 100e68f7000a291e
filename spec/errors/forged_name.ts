//# title = "the name of a host error on the program's own error is only a name"
//# [expect.error]
//# code = "THROWN"
//# name = "ToolError"
//# message = 'mine'
//# line = 11
//# column = 7
const error = new Error("mine");
error.name = "ToolError";
(error as any).code = "TOOL";
throw error;
