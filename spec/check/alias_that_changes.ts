//# title = "an alias that may change is not followed"
//# tools = "demo"
//# [expect]
//# result = '1'
let weather: any = tools.weather;
weather = { forecast: async () => 1 };
return await weather.forecast();
