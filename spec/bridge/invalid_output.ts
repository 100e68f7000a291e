//# title = "an output that does not fit the schema is INVALID_OUTPUT"
//# tools = "demo"
//# [expect]
//# calls = [["demo.broken", "failed"]]
//# [expect.error]
//# code = "INVALID_OUTPUT"
//# name = 'InvalidOutputError'
//# message = 'invalid output of tool `demo.broken`: at /number: "seven" is not of type "integer"'
//# line = 12
//# column = 18
//# details = { tool = "demo.broken", seq = "0" }
await tools.demo.broken({});
