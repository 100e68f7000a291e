//# title = "a tool that panics fails its call, without the text of the panic"
//# tools = "spec"
//# [expect]
//# calls = [["spec.panic", "failed"]]
//# result = '[true, "[object Error]", "ToolError", "TOOL", "the tool failed"]'
try {
  await tools.spec.panic({});
  return "no error";
} catch (error) {
  return [error instanceof Error, Object.prototype.toString.call(error), error.name, error.code, error.message];
}
