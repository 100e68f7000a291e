//# title = "the cause of an internal failure is not shown"
//# tools = "spec"
//# [expect]
//# calls = [["spec.secret", "failed"]]
//# result = '[true, "[object Error]", "ToolError", "TOOL", "the tool failed"]'
try {
  await tools.spec.secret({});
  return "no error";
} catch (error) {
  return [error instanceof Error, Object.prototype.toString.call(error), error.name, error.code, error.message];
}
