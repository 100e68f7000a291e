//# title = "a written value that is not one of the choices of a schema is found"
//# tools = "spec"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'invalid input for tool `spec.paint`: at /colour: "rde" is not one of "red", "green"'
//# line = 11
//# column = 25
const coats = await tools.demo.echo(2);
return await tools.spec.paint({ colour: 'rde', coats });
