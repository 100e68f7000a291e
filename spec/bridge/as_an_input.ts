//# title = "a path as the input of a tool is SERIALIZATION, and is no call"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "SERIALIZATION"
//# name = 'SerializationError'
//# message = 'the input of tools.demo.echo is not JSON: it is a function'
//# line = 10
//# column = 1
await tools.demo.echo(tools.demo);
