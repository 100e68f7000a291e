//# title = "an unknown tool that is like none names none"
//# tools = "demo"
//# [expect]
//# calls = [["zzz.qqq", "failed"]]
//# [expect.error]
//# code = "UNKNOWN_TOOL"
//# name = "UnknownToolError"
//# message = 'unknown tool: `zzz.qqq`'
//# line = 11
//# column = 17
await tools.zzz.qqq({});
