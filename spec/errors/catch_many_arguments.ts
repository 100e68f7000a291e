//# title = "a call with more than one argument is INVALID_INPUT"
//# tools = "demo"
//# [expect]
//# result = '[true, "[object Error]", "InvalidInputError", "INVALID_INPUT", "tools.demo.echo takes one argument, an object; it was given 2"]'
try {
  await tools.demo.echo(1, 2);
  return "no error";
} catch (error) {
  return [error instanceof Error, Object.prototype.toString.call(error), error.name, error.code, error.message];
}
