//# title = "UNKNOWN_TOOL can be caught"
//# tools = "demo"
//# [expect]
//# calls = [["weather.curent", "failed"]]
//# result = '[true, "[object Error]", "UnknownToolError", "UNKNOWN_TOOL", "unknown tool: `weather.curent`; did you mean `weather.current`?"]'
try {
  await tools.weather.curent({ city: "Rome" });
  return "no error";
} catch (error) {
  return [error instanceof Error, Object.prototype.toString.call(error), error.name, error.code, error.message];
}
