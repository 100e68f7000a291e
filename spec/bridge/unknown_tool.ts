//# title = "an unknown path fails when it is called, with the nearest names"
//# tools = "demo"
//# [expect]
//# calls = [["demo.ecco", "failed"]]
//# [expect.error]
//# code = "UNKNOWN_TOOL"
//# name = 'UnknownToolError'
//# message = 'unknown tool: `demo.ecco`; did you mean `demo.echo`?'
//# line = 13
//# column = 1
//# details = { tool = "demo.ecco", seq = "0" }
const path = tools.demo.ecco; // no error yet
await path({});
