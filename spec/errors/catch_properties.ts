//# title = "a host error has no properties that show in JSON, and can be changed"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"]]
//# result = '[[],"{\"extra\":1}","ToolError: m","string",false]'
try {
  await tools.demo.fail({ message: "m" });
} catch (error) {
  const keys = Object.keys(error);
  error.extra = 1;
  return [keys, JSON.stringify(error), String(error), typeof error.stack, "cause" in error];
}
