//# title = "half a surrogate pair in a path is no reason to stop"
//# tools = "demo"
//# [expect]
//# result = '["UNKNOWN_TOOL",true]'
//# calls = [["���", "failed"]]
return await tools["\ud83d"]().catch((error) => [error.code, error.message.startsWith("unknown tool: `\ufffd")]);
