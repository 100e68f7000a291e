//# title = "a cycle in an input is SERIALIZATION, and can be caught"
//# tools = "demo"
//# [expect]
//# result = '["SERIALIZATION","SerializationError"]'
const cycle: any = {};
cycle.self = cycle;
return await tools.demo.echo(cycle).catch((error) => [error.code, error.name]);
