//# title = "a written number that is not the constant of a schema is found"
//# tools = "spec"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'invalid input for tool `spec.paint`: at /layers/0/version: 2 is not one of 1'
//# line = 11
//# column = 25
const colour = await tools.demo.echo('red');
return await tools.spec.paint({ colour, layers: [{ version: 2 }] });
