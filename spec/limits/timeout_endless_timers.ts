//# title = "timers that start timers are bounded by the limit of calls"
//# limits = { timeout = "20s", calls = 5 }
//# [expect]
//# [expect.error]
//# code = "CALL_LIMIT"
//# name = 'CallLimitError'
//# message = 'the program made more than 5 tool calls and timers'
//# line = 11
//# column = 23
//# details = { limit = 5 }
const again = () => { setTimeout(() => again()); };
again();
await new Promise(() => {});
