//# title = "tools itself is no tool"
//# checks = "off"
//# tools = "demo"
//# [expect]
//# calls = [["", "failed"]]
//# [expect.error]
//# code = "UNKNOWN_TOOL"
//# name = "UnknownToolError"
//# message = '`tools` is not a tool itself: call one, as in `tools.name({ … })`'
//# line = 12
//# column = 7
await tools({});
