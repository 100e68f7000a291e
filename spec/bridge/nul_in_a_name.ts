//# title = "a path with a NUL is a path that no tool has"
//# tools = "demo"
//# [expect]
//# result = '"unknown tool: `a\\u{0}b`"'
//# calls = [["a\u0000b", "failed"]]
return await tools["a\0b"]().catch((error) => error.message);
