//# title = "a path as the input of a tool is SERIALIZATION, and is no call"
//# tools = "demo"
//# [expect]
//# result = '["SERIALIZATION","the input of tools.demo.echo is not JSON: it is a function"]'
return await tools.demo.echo(tools.demo).catch((error) => [error.code, error.message]);
