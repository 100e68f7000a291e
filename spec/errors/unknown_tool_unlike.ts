//# title = "an unknown tool that is like none names none"
//# checks = "off"
//# tools = "demo"
//# [expect]
//# calls = [["zzz.qqq", "failed"]]
//# [expect.error]
//# code = "UNKNOWN_TOOL"
//# name = "UnknownToolError"
//# message = 'unknown tool: `zzz.qqq`'
//# line = 12
//# column = 17
await tools.zzz.qqq({});
