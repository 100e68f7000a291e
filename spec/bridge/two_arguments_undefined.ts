//# title = "a second argument counts even if it is undefined"
//# tools = "demo"
//# [expect]
//# result = '["INVALID_INPUT","tools.demo.echo takes one argument, an object; it was given 2"]'
return await tools.demo.echo({}, undefined).catch((error) => [error.code, error.message]);
