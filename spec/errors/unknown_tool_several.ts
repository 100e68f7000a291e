//# title = "several tools that are alike are named, nearest first"
//# checks = "off"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wai", "failed"]]
//# [expect.error]
//# code = "UNKNOWN_TOOL"
//# name = "UnknownToolError"
//# message = 'unknown tool: `demo.wai`; did you mean `demo.wait` or `demo.fail` or `demo.echo`?'
//# line = 12
//# column = 18
await tools.demo.wai({});
