//# title = "a variable of the program with the name `tools` is not the tools"
//# tools = "demo"
//# [expect]
//# result = '1'
const tools = { weather: { forecast: async (input: unknown) => input } };
return await tools.weather.forecast(1);
