//# title = "the position of a failed call is where it was made, not where it was awaited"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"], ["demo.wait", "applied"]]
//# [expect.error]
//# code = "TOOL"
//# name = 'ToolError'
//# message = 'late'
//# line = 11
//# column = 41
const start = () => { return tools.demo.fail({ message: "late" }); };
const call = start();
const other = tools.demo.wait({ ms: 5 });
await Promise.allSettled([call, other]);
await call;
