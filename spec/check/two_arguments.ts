//# title = "a second argument is found"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'tools.weather.current takes one argument, an object; it was given 2'
//# line = 10
//# column = 28
return await tools.weather.current('Oslo', {});
