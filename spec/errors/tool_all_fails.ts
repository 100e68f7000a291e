//# title = "Promise.all ends with the first failure"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"], ["demo.fail", "failed"]]
//# [expect.error]
//# code = "TOOL"
//# name = "ToolError"
//# message = 'one of them'
//# line = 11
//# column = 52
await Promise.all([tools.demo.echo({}), tools.demo.fail({ message: "one of them" })]);
