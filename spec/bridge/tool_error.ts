//# title = "an error of a tool has name, message, code and the position of the call"
//# tools = "demo"
//# [expect]
//# calls = [["weather.current", "failed"]]
//# [expect.error]
//# code = "TOOL"
//# name = 'ToolError'
//# message = 'no weather station in Atlantis'
//# line = 13
//# column = 21
//# details = { tool = "weather.current", seq = "0" }
const city = "Atlantis";
await tools.weather.current({ city });
