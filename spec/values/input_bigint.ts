//# title = "a bigint as an input is SERIALIZATION, and can be caught"
//# tools = "demo"
//# [expect]
//# result = '[true, "SerializationError", "SERIALIZATION", "the input of tools.demo.echo is not JSON: `n` is a BigInt; convert it with String(…) or Number(…)"]'
try {
  await tools.demo.echo({ n: 1n });
} catch (error) {
  return [error instanceof Error, error.name, error.code, error.message];
}
