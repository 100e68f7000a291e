//# title = "the failure that ends a program is the one that was thrown"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"], ["demo.fail", "failed"]]
//# [expect.error]
//# code = "TOOL"
//# name = "ToolError"
//# message = 'second'
//# line = 14
//# column = 18
//# [expect.error.details]
//# seq = '1'
await tools.demo.fail({ message: "first" }).catch(() => {});
await tools.demo.fail({ message: "second" });
