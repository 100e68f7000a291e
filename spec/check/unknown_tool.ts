//# title = "a call of a tool that does not exist is found before anything runs"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'unknown tool: `weather.forecast`; did you mean `weather.current`?'
//# line = 11
//# column = 28
await tools.demo.echo(1);
return await tools.weather.forecast({ city: 'Oslo' });
