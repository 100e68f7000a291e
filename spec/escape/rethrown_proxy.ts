//# title = "an error of a call inside a Proxy is THROWN"
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
const proxy = new Proxy(error, {});
throw proxy;
