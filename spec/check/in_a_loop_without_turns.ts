//# title = "a mistake in a loop that has no turns is a warning"
//# tools = "demo"
//# [expect]
//# result = '0'
//# calls = [["demo.echo", "applied"]]
//# warnings = ['line 8, column 48: unknown tool: `weather.forecast`; did you mean `weather.current`?']
const cities = await tools.demo.echo([]);
for (const city of cities) await tools.weather.forecast({ city });
return cities.length;
