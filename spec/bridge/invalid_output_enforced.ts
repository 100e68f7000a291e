//# title = "an output that does not fit the schema is INVALID_OUTPUT where outputs are enforced"
//# tools = "demo"
//# [config.validation]
//# outputs = "enforce"
//# [expect]
//# result = '"INVALID_OUTPUT"'
//# calls = [["demo.broken", "failed"]]
return await tools.demo.broken({}).catch((error) => error.code);
