//# title = "an output that does not fit the schema is let through where outputs only warn, and the host is told"
//# tools = "demo"
//# [config.validation]
//# outputs = "warn"
//# [expect]
//# result = '{ "number": "seven" }'
//# calls = [["demo.broken", "applied"]]
//# mismatches = ['the output of tool `demo.broken` does not fit its schema']
return await tools.demo.broken({});
