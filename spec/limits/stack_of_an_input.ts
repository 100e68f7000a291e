//# title = "an input that is nested too deeply for the stack is SERIALIZATION"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "SERIALIZATION"
//# name = 'SerializationError'
//# message = 'the input of tools.demo.echo is not JSON: it is nested too deeply'
//# line = 12
//# column = 7
let deep: unknown = 1;
for (let i = 0; i < 100_000; i++) deep = [deep];
await tools.demo.echo(deep);
