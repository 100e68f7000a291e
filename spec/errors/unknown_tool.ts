//# title = "an unknown tool names the nearest"
//# checks = "off"
//# tools = "demo"
//# [expect]
//# calls = [["weather.curent", "failed"]]
//# [expect.error]
//# code = "UNKNOWN_TOOL"
//# name = "UnknownToolError"
//# message = 'unknown tool: `weather.curent`; did you mean `weather.current`?'
//# line = 15
//# column = 31
//# [expect.error.details]
//# tool = 'weather.curent'
//# seq = '0'
const r = await tools.weather.curent({ city: "Rome" });
return r;
