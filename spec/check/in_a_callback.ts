//# title = "a mistake in a callback that is never called is a warning"
//# tools = "demo"
//# [expect]
//# result = '[]'
//# calls = [["demo.echo", "applied"]]
//# warnings = ['line 8, column 69: unknown tool: `weather.forecast`; did you mean `weather.current`?']
const cities = await tools.demo.echo([]);
return await Promise.all(cities.map((city: string) => tools.weather.forecast({ city })));
