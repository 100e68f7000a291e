//# title = "a mistake in the function that is the program is found"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'unknown tool: `weather.forecast`; did you mean `weather.current`?'
//# line = 12
//# column = 30
async () => {
  const city = 'Oslo';
  return await tools.weather.forecast({ city });
}
