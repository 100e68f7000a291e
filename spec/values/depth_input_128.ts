//# title = "an input that is nested 128 levels deep is SERIALIZATION, and can be caught"
//# tools = "demo"
//# [expect]
//# result = '["SerializationError","SERIALIZATION","the input of tool `demo.echo` is not JSON that can be passed: it is nested deeper than 127 levels"]'
let value: any = 1;
for (let i = 0; i < 128; i++) value = [value];
try {
  await tools.demo.echo(value);
} catch (error) {
  return [error.name, error.code, error.message];
}
