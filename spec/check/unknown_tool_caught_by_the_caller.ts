//# title = "a failure that the caller of a function may catch is not an error"
//# tools = "demo"
//# [expect]
//# result = '"UNKNOWN_TOOL"'
//# calls = [["weather.forecast", "failed"]]
const forecast = async (city: string) => await tools.weather.forecast({ city });
return await forecast('Oslo').catch((error) => error.code);
