//# title = "a promise whose `then` is used is not the result"
//# tools = "demo"
//# [expect]
//# result = '4'
//# calls = [["weather.current", "applied"]]
const weather = tools.weather.current({ city: 'Oslo' });
return weather.then((it) => it.celsius);
