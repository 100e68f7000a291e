//# title = "the number of spread arguments is not known"
//# tools = "demo"
//# [expect]
//# result = '"snow"'
//# calls = [["weather.current", "applied"]]
const all = [{ city: 'Oslo' }];
return (await tools.weather.current(...all)).sky;
