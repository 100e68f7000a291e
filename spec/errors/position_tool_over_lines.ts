//# title = "the position of a failed call over several lines is that of the tool"
//# tools = "demo"
//# [expect]
//# calls = [["weather.current", "failed"]]
//# [expect.error]
//# code = "TOOL"
//# name = "ToolError"
//# message = 'no weather station in Nowhere'
//# line = 12
//# column = 37
const city = "Nowhere";
const weather = await tools.weather.current({
  city: city,
});
return weather;
