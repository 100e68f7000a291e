//# title = "Promise.all ends with the first failure"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"], ["demo.fail", "failed"]]
//# [expect.error]
//# code = "TOOL"
//# name = "ToolError"
//# message = 'one of them'
//# line = 13
//# column = 57
// The failure comes after the other result, however long each of them takes.
const echoed = tools.demo.echo({});
await Promise.all([echoed, echoed.then(() => tools.demo.fail({ message: "one of them" }))]);
