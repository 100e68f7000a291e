//# title = "an input whose getter throws is SERIALIZATION with what was thrown"
//# tools = "demo"
//# [expect]
//# result = '["SERIALIZATION","the input of tools.demo.echo is not JSON: no","the input of tools.demo.echo is not JSON: a value could not be read"]'
const first: any = await tools.demo.echo({ get a() { throw new RangeError("no"); } }).catch((error) => error);
const second: any = await tools.demo.echo({ get a() { throw "text"; } }).catch((error) => error);
return [first.code, first.message, second.message];
