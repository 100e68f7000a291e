//# title = "a call with two arguments fails with INVALID_INPUT, and is no call"
//# checks = "off"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "INVALID_INPUT"
//# name = 'InvalidInputError'
//# message = 'tools.demo.echo takes one argument, an object; it was given 2'
//# line = 11
//# column = 18
await tools.demo.echo(1, 2);
