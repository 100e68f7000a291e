//# title = "an input that refers to itself is SERIALIZATION"
//# tools = "demo"
//# [expect.error]
//# code = "SERIALIZATION"
//# name = "SerializationError"
//# message = 'the input of tools.demo.echo is not JSON: circular reference'
//# line = 11
//# column = 25
const a: any = {};
a.a = a;
return await tools.demo.echo(a);
