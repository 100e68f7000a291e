//# title = "INVALID_INPUT can be caught"
//# tools = "demo"
//# [expect]
//# calls = [["weather.current", "failed"]]
//# result = '[true, "[object Error]", "InvalidInputError", "INVALID_INPUT", "invalid input for tool `weather.current`: at /city: 7 is not of type \"string\""]'
try {
  await tools.weather.current({ city: 7 });
  return "no error";
} catch (error) {
  return [error instanceof Error, Object.prototype.toString.call(error), error.name, error.code, error.message];
}
