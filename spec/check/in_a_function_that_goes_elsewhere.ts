//# title = "a mistake in a function that other code may call is a warning"
//# tools = "demo"
//# [expect]
//# result = '[]'
//# calls = [["demo.echo", "applied"]]
//# warnings = ['line 7, column 58: unknown tool: `weather.forecast`; did you mean `weather.current`?']
const load = async (city: string) => await tools.weather.forecast({ city });
const cities: string[] = await tools.demo.echo([]);
return await Promise.all(cities.map(load));
