//# title = "nothing is said about a function that is never used"
//# tools = "demo"
//# [expect]
//# result = '1'
const forecast = (city: string) => tools.weather.forecast({ city });
return 1;
