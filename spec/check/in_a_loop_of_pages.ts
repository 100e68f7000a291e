//# title = "a mistake in a loop whose condition comes last is found"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'unknown tool: `weather.forecast`; did you mean `weather.current`?'
//# line = 12
//# column = 33
let cursor = null;
do {
  cursor = (await tools.weather.forecast({ cursor })).next;
} while (cursor);
return 1;
