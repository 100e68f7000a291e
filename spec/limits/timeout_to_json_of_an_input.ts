//# title = "the time-out stops toJSON of a tool's input"
//# tools = "demo"
//# limits = { timeout = "100ms" }
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 100ms'
//# line = 11
//# column = 36
await tools.demo.echo({ toJSON() { for (;;) {} } });
