//# title = "an input that is no object is refused by a tool that wants one"
//# checks = "off"
//# tools = "demo"
//# [expect]
//# calls = [["weather.current", "failed"]]
//# [expect.error]
//# code = "INVALID_INPUT"
//# name = "InvalidInputError"
//# message = 'invalid input for tool `weather.current`: "Rome" is not of type "object"'
//# line = 12
//# column = 28
return await tools.weather.current("Rome");
