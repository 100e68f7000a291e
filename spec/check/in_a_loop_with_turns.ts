//# title = "a mistake in a loop that certainly has a turn is found"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'unknown tool: `weather.forecast`; did you mean `weather.current`?'
//# line = 11
//# column = 69
const found = [];
for (const city of ['Oslo', 'Rome']) found.push(await tools.weather.forecast({ city }));
return found;
