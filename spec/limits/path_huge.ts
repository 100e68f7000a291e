//# title = "a path of a megabyte is refused before it is looked at"
//# tools = "demo"
//# [expect]
//# result = '"unknown tool: a path of 1000000 bytes is longer than that of any tool"'
return await tools["x".repeat(1_000_000)]({}).catch((error) => error.message);
