//# title = "a path of 513 bytes is refused, and is no call"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "UNKNOWN_TOOL"
//# name = 'UnknownToolError'
//# message = 'unknown tool: a path of 513 bytes is longer than that of any tool'
//# line = 11
//# column = 7
const tool = tools["a".repeat(513)];
await tool();
