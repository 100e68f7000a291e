//# title = "several tools that are alike are named, nearest first"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wai", "failed"]]
//# [expect.error]
//# code = "UNKNOWN_TOOL"
//# name = "UnknownToolError"
//# message = '?'
//# line = 11
//# column = 18
await tools.demo.wai({});
