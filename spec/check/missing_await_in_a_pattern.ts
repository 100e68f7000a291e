//# title = "a promise that is taken apart is found"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'the promise of the call of `weather.current` is used as if it were its result'
//# line = 10
//# column = 7
const { celsius } = tools.weather.current({ city: 'Oslo' });
return celsius;
