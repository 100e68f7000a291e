//# title = "a mistake behind a throw is found, because the program fails in any case"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'unknown tool: `weather.forecast`; did you mean `weather.current`?'
//# line = 12
//# column = 28
const cities = await tools.demo.echo([]);
if (cities.length === 0) throw new Error('no cities');
return await tools.weather.forecast({ city: cities[0] });
