//# title = "an error of a call that toJSON throws again keeps its code"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"]]
//# [expect.error]
//# code = "TOOL"
//# name = 'ToolError'
//# message = 'x'
//# line = 11
//# column = 32
const error = await tools.demo.fail({ message: "x" }).catch((error) => error);
return { toJSON() { throw error; } };
