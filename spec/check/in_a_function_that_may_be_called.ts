//# title = "a mistake in a function that the program may call is a warning"
//# tools = "demo"
//# [expect]
//# result = '"none"'
//# calls = [["demo.echo", "applied"]]
//# warnings = ['line 8, column 30: unknown tool: `weather.forecast`; did you mean `weather.current`?']
async function load(city: string) {
  return await tools.weather.forecast({ city });
}
const cities = await tools.demo.echo([]);
return cities.length > 0 ? await load(cities[0]) : 'none';
