//# title = "a tool that panics before it starts fails its call"
//# tools = "spec"
//# [expect]
//# calls = [["spec.panicBeforeFuture", "failed"]]
//# result = '[true, "[object Error]", "ToolError", "TOOL", "the tool failed"]'
try {
  await tools.spec.panicBeforeFuture({});
  return "no error";
} catch (error) {
  return [error instanceof Error, Object.prototype.toString.call(error), error.name, error.code, error.message];
}
