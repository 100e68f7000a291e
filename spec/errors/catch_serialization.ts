//# title = "SERIALIZATION can be caught"
//# tools = "demo"
//# [expect]
//# result = '[true, "[object Error]", "SerializationError", "SERIALIZATION", "the input of tools.demo.echo is not JSON: `n` is a BigInt; convert it with String(…) or Number(…)"]'
try {
  await tools.demo.echo({ n: 1n });
  return "no error";
} catch (error) {
  return [error instanceof Error, Object.prototype.toString.call(error), error.name, error.code, error.message];
}
