//# title = "a missing property is named"
//# checks = "off"
//# tools = "demo"
//# [expect]
//# calls = [["weather.current", "failed"]]
//# [expect.error]
//# code = "INVALID_INPUT"
//# name = "InvalidInputError"
//# message = 'invalid input for tool `weather.current`: "city" is a required property'
//# line = 12
//# column = 28
return await tools.weather.current({});
