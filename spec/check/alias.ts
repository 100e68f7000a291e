//# title = "a constant that is a namespace of tools is followed"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'unknown tool: `weather.forecast`; did you mean `weather.current`?'
//# line = 11
//# column = 22
const { weather } = tools;
return await weather.forecast({ city: 'Oslo' });
