//# title = "a promise that is read as if it were the result is found"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'the promise of the call of `weather.current` is used as if it were its result'
//# line = 12
//# column = 16
//# hint = 'await it first: `await tools.weather.current(…)`'
const weather = tools.weather.current({ city: 'Oslo' });
return weather.celsius;
