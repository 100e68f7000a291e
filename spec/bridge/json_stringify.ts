//# title = "JSON.stringify sees a function"
//# tools = "demo"
//# [expect]
//# result = '[true,"{\"b\":[null]}"]'
return [JSON.stringify(tools) === undefined, JSON.stringify({ a: tools.x, b: [tools] })];
