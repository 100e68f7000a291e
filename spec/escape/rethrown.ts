//# title = "an error of a call that is caught and thrown again keeps its code"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"], ["demo.fail", "failed"]]
//# [expect.error]
//# code = "TOOL"
//# name = 'ToolError'
//# message = 'first'
//# line = 13
//# column = 24
//# details = { tool = "demo.fail", seq = "0" }
let kept;
try { await tools.demo.fail({ message: "first" }); } catch (error) { kept = error; }
await tools.demo.fail({ message: "second" }).catch(() => {});
throw kept;
