//# title = "a namespace is no tool"
//# tools = "demo"
//# [expect]
//# result = '["UNKNOWN_TOOL","UnknownToolError"]'
//# calls = [["demo", "failed"]]
return await tools.demo({}).catch((error) => [error.code, error.name]);
