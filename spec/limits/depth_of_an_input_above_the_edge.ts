//# title = "an input that is nested 101 levels deep is SERIALIZATION, and is no call"
//# tools = "demo"
//# [expect]
//# result = '["SERIALIZATION","SerializationError","the input of tool `demo.echo` is not JSON that can be passed: it is nested deeper than 100 levels"]'
let deep: unknown = 1;
for (let i = 0; i < 101; i++) deep = [deep];
return await tools.demo.echo(deep).catch((error) => [error.code, error.name, error.message]);
