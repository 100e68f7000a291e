//# title = "a namespace called like a tool"
//# tools = "demo"
//# [expect]
//# calls = [["demo", "failed"]]
//# [expect.error]
//# code = "UNKNOWN_TOOL"
//# name = "UnknownToolError"
//# message = "unknown tool: `demo`; did you mean `demo.echo` or `demo.fail` or `demo.text`?"
//# line = 11
//# column = 20
return await tools.demo({ a: 1 });
