//# title = "numbers and the empty name are paths too"
//# tools = "demo"
//# [expect]
//# result = '["unknown tool: `0`","unknown tool: `4294967294.-1`","unknown tool: `a.`"]'
//# calls = [["0", "failed"], ["4294967294.-1", "failed"], ["a.", "failed"]]
const message = (error: Error) => error.message;
return [await tools[0]().catch(message), await tools[4294967294][-1]().catch(message), await tools.a[""]().catch(message)];
