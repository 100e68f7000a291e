//# title = "a mistake in a branch that is not taken does not stop a program, and is a warning"
//# tools = "demo"
//# [expect]
//# result = '1'
//# calls = [["demo.echo", "applied"]]
//# warnings = ['line 8, column 44: unknown tool: `weather.forecast`; did you mean `weather.current`?']
const cities = await tools.demo.echo(['Oslo']);
if (cities.length > 9) await tools.weather.forecast({ city: 'Oslo' });
return cities.length;
