//# title = "an error of a call inside a Proxy is THROWN"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"]]
//# [expect.error]
//# code = "THROWN"
//# name = 'ToolError'
//# message = 'x'
//# line = 12
//# column = 1
const error = await tools.demo.fail({ message: "x" }).catch((error) => error);
throw new Proxy(error, {});
