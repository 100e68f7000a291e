//# title = "INVALID_OUTPUT can be caught"
//# tools = "demo"
//# [expect]
//# calls = [["demo.broken", "failed"]]
//# result = '[true, "[object Error]", "InvalidOutputError", "INVALID_OUTPUT", "invalid output of tool `demo.broken`: at /number: \"seven\" is not of type \"integer\""]'
try {
  await tools.demo.broken({});
  return "no error";
} catch (error) {
  return [error instanceof Error, Object.prototype.toString.call(error), error.name, error.code, error.message];
}
