//# title = "tools itself is no tool"
//# tools = "demo"
//# [expect]
//# calls = [["", "failed"]]
//# [expect.error]
//# code = "UNKNOWN_TOOL"
//# name = 'UnknownToolError'
//# message = '`tools` is not a tool itself: call one, as in `tools.name({ … })`'
//# line = 12
//# column = 7
//# details = { seq = "0" }
await tools();
