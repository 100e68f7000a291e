//# title = "an object that inherits from an error of a call is THROWN"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"]]
//# [expect.error]
//# code = "THROWN"
//# name = 'ToolError'
//# message = 'x'
//# line = 13
//# column = 7
const error = await tools.demo.fail({ message: "x" }).catch((error) => error);
const heir = Object.create(error);
throw heir;
