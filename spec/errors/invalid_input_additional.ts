//# title = "a property that the tool does not know is named"
//# checks = "off"
//# tools = "demo"
//# [expect]
//# calls = [["weather.current", "failed"]]
//# [expect.error]
//# code = "INVALID_INPUT"
//# name = "InvalidInputError"
//# message = "invalid input for tool `weather.current`: Additional properties are not allowed ('unit' was unexpected)"
//# line = 12
//# column = 28
return await tools.weather.current({ city: "Rome", unit: "C" });
