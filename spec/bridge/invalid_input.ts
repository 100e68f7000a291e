//# title = "an input that does not fit the schema is INVALID_INPUT with what was expected"
//# checks = "off"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wait", "failed"]]
//# [expect.error]
//# code = "INVALID_INPUT"
//# name = 'InvalidInputError'
//# message = 'invalid input for tool `demo.wait`: at /ms: "soon" is not of type "integer"'
//# line = 13
//# column = 18
//# details = { tool = "demo.wait", seq = "0" }
await tools.demo.wait({ ms: "soon" });
