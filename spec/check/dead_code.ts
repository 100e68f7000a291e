//# title = "nothing is said about code that is never reached"
//# tools = "demo"
//# [expect]
//# result = '1'
return 1;
await tools.weather.forecast({});
