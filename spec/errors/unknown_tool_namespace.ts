//# title = "a namespace is no tool"
//# checks = "off"
//# tools = "demo"
//# [expect]
//# calls = [["demo", "failed"]]
//# [expect.error]
//# code = "UNKNOWN_TOOL"
//# name = "UnknownToolError"
//# message = 'unknown tool: `demo`; did you mean `demo.echo` or `demo.fail` or `demo.text`?'
//# line = 12
//# column = 13
await tools.demo({});
