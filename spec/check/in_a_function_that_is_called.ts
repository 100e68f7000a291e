//# title = "a mistake in a function that the program calls is found"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'unknown tool: `weather.forecast`; did you mean `weather.current`?'
//# line = 13
//# column = 58
async function main() {
  return await load('Oslo');
}
const load = async (city: string) => await tools.weather.forecast({ city });
return await main();
