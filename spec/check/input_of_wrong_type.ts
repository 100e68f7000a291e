//# title = "a written value of the wrong type is found"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'invalid input for tool `demo.wait`: at /ms: a value of type "string" is not of type "integer"'
//# line = 11
//# column = 29
const x = await tools.demo.echo(1);
return [x, await tools.demo.wait({ ms: `${x}` })];
