//# title = "tools inside the result follows JSON.stringify"
//# tools = "demo"
//# [expect]
//# result = '{"a":[null],"b":1}'
return { a: [tools.demo], b: 1, c: tools };
