//# title = "an unknown path fails when it is called, with the nearest names"
//# tools = "demo"
//# [expect]
//# calls = [["wether.curent", "failed"]]
//# [expect.error]
//# code = "UNKNOWN_TOOL"
//# name = 'UnknownToolError'
//# message = 'unknown tool: `wether.curent`; did you mean `weather.current`?'
//# line = 13
//# column = 7
//# details = { tool = "wether.curent", seq = "0" }
const path = tools.wether.curent; // no error yet
await path({});
