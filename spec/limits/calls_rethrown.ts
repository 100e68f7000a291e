//# title = "CALL_LIMIT that is caught and thrown again is still CALL_LIMIT"
//# tools = "demo"
//# limits = { calls = 0 }
//# [expect]
//# [expect.error]
//# code = "CALL_LIMIT"
//# name = 'CallLimitError'
//# message = 'the program made more than 0 tool calls'
//# line = 13
//# column = 24
//# details = { limit = 0 }
let kept;
try { await tools.demo.echo({}); } catch (error) { kept = error; }
await null;
throw kept;
