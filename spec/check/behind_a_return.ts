//# title = "a mistake behind a return under a condition is a warning"
//# tools = "demo"
//# [expect]
//# result = '"none"'
//# calls = [["demo.echo", "applied"]]
//# warnings = ['line 9, column 28: unknown tool: `weather.forecast`; did you mean `weather.current`?']
const cities = await tools.demo.echo([]);
if (cities.length === 0) return 'none';
return await tools.weather.forecast({ city: cities[0] });
