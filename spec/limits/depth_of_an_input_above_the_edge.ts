//# title = "an input that is nested 128 levels deep is SERIALIZATION, and is no call"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "SERIALIZATION"
//# name = 'SerializationError'
//# message = 'the input of tool `demo.echo` is not JSON that can be passed: it is nested deeper than 127 levels'
//# line = 12
//# column = 1
let deep: unknown = 1;
for (let i = 0; i < 128; i++) deep = [deep];
await tools.demo.echo(deep);
