//# title = "an output that does not fit the schema is let through where outputs only warn, and the host is told"
//# tools = "demo"
//# [config.validation]
//# outputs = "warn"
//# [expect]
//# result = '{ "number": "seven" }'
//# calls = [["demo.broken", "applied"]]
//# mismatches = ['invalid output of tool `demo.broken`: at /number: "seven" is not of type "integer"']
return await tools.demo.broken({});
