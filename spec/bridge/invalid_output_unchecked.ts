//# title = "an output that does not fit the schema is let through where outputs are not checked"
//# tools = "demo"
//# [config.validation]
//# outputs = "off"
//# [expect]
//# result = '{ "number": "seven" }'
//# calls = [["demo.broken", "applied"]]
return await tools.demo.broken({});
