//# title = "an input that does not fit names the place and what was expected"
//# checks = "off"
//# tools = "demo"
//# [expect]
//# calls = [["weather.current", "failed"]]
//# [expect.error]
//# code = "INVALID_INPUT"
//# name = "InvalidInputError"
//# message = 'invalid input for tool `weather.current`: at /city: 7 is not of type "string"'
//# line = 14
//# column = 28
//# [expect.error.details]
//# tool = 'weather.current'
return await tools.weather.current({ city: 7 });
