//# title = "an Error.prepareStackTrace that throws does not change what is thrown"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"]]
//# [expect.error]
//# code = "TOOL"
//# name = 'ToolError'
//# message = 'x'
//# line = 12
//# column = 18
(Error as any).prepareStackTrace = () => { throw new Error("forged"); };
await tools.demo.fail({ message: "x" });
