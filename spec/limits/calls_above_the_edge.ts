//# title = "one call more than the limit is CALL_LIMIT"
//# tools = "demo"
//# limits = { calls = 2 }
//# [expect]
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"]]
//# [expect.error]
//# code = "CALL_LIMIT"
//# name = 'CallLimitError'
//# message = 'the program made more than 2 tool calls'
//# line = 15
//# column = 18
//# details = { limit = 2 }
await tools.demo.echo({});
await tools.demo.echo({});
await tools.demo.echo({});
