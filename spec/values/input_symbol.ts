//# title = "a symbol as an input is SERIALIZATION, and can be caught"
//# tools = "demo"
//# [expect]
//# result = '[true, "SerializationError", "SERIALIZATION", "the input of tools.demo.echo is not JSON: it is a symbol"]'
try {
  await tools.demo.echo(Symbol("s"));
} catch (error) {
  return [error instanceof Error, error.name, error.code, error.message];
}
