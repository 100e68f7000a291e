//# title = "an input that is nested too deeply for the stack is SERIALIZATION"
//# tools = "demo"
//# limits = { stack = "64KiB" }
//# [expect]
//# result = '["SERIALIZATION","the input of tools.demo.echo is not JSON: it is nested too deeply"]'
let deep: unknown = 1;
for (let i = 0; i < 20_000; i++) deep = [deep];
return await tools.demo.echo(deep).catch((error) => [error.code, error.message]);
