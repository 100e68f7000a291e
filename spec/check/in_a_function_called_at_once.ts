//# title = "a mistake in a function that is called where it is written is found"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'unknown tool: `weather.forecast`; did you mean `weather.current`?'
//# line = 11
//# column = 30
const found = await (async () => {
  return await tools.weather.forecast({ city: 'Oslo' });
})();
return found;
