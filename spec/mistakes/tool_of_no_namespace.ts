//# title = "a tool of a namespace that does not exist"
//# tools = "demo"
//# [expect]
//# calls = [["stocks.price", "failed"]]
//# [expect.error]
//# code = "UNKNOWN_TOOL"
//# name = "UnknownToolError"
//# message = "unknown tool: `stocks.price`"
//# line = 12
//# column = 27
//# hint = "search for it: `await codemode.search(\"what it should do\")`"
return await tools.stocks.price({ symbol: "ABC" });
