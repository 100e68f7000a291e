//# title = "a tool that panics later fails its call"
//# tools = "spec"
//# [expect]
//# calls = [["spec.panic", "failed"]]
//# result = '[true, "[object Error]", "ToolError", "TOOL", "the tool failed"]'
try {
  await tools.spec.panic({ late: true });
  return "no error";
} catch (error) {
  return [error instanceof Error, Object.prototype.toString.call(error), error.name, error.code, error.message];
}
