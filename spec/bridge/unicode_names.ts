//# title = "a path with other letters arrives as it is"
//# tools = "demo"
//# [expect]
//# result = '"unknown tool: `größe.名前.😀`"'
//# calls = [["größe.名前.😀", "failed"]]
return await tools.größe.名前["😀"]().catch((error) => error.message);
