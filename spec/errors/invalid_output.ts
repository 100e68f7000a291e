//# title = "an answer that does not fit names the place and what was expected"
//# tools = "demo"
//# [expect]
//# calls = [["demo.broken", "failed"]]
//# [expect.error]
//# code = "INVALID_OUTPUT"
//# name = "InvalidOutputError"
//# message = 'invalid output of tool `demo.broken`: at /number: "seven" is not of type "integer"'
//# line = 11
//# column = 25
return await tools.demo.broken({});
