//# title = "a call of a tool that does not exist may be caught"
//# tools = "demo"
//# [expect]
//# result = '"UNKNOWN_TOOL"'
//# calls = [["weather.forecast", "failed"]]
try {
  return await tools.weather.forecast({ city: 'Oslo' });
} catch (error) {
  return error.code;
}
