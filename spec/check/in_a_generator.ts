//# title = "a mistake in a generator that nothing is taken from is a warning"
//# tools = "demo"
//# [expect]
//# result = '"object"'
//# warnings = ['line 7, column 29: unknown tool: `weather.forecast`; did you mean `weather.current`?']
async function* forecasts() {
  yield await tools.weather.forecast({ city: 'Oslo' });
}
return typeof forecasts();
