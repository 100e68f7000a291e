//# title = "TOOL can be caught"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"]]
//# result = '[true, "[object Error]", "ToolError", "TOOL", "out of ink"]'
try {
  await tools.demo.fail({ message: "out of ink" });
  return "no error";
} catch (error) {
  return [error instanceof Error, Object.prototype.toString.call(error), error.name, error.code, error.message];
}
