//# title = "a bigint as an input is SERIALIZATION, and can be caught"
//# tools = "demo"
//# [expect]
//# result = '[true, "SerializationError", "SERIALIZATION", "the input of tools.demo.echo is not JSON: a BigInt cannot be written as JSON"]'
try {
  await tools.demo.echo({ n: 1n });
} catch (error) {
  return [error instanceof Error, error.name, error.code, error.message];
}
