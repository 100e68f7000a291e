//# title = "nothing is said about a property of an open result"
//# tools = "demo"
//# [expect]
//# result = '[true,"Oslo"]'
//# calls = [["weather.current", "applied"]]
const weather: any = await tools.weather.current({ city: 'Oslo' });
return [weather.wind === undefined, weather.city];
