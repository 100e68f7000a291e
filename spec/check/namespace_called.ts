//# title = "a namespace that is called is found"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'unknown tool: `weather`; did you mean `weather.current`?'
//# line = 10
//# column = 20
return await tools.weather({ city: 'Oslo' });
