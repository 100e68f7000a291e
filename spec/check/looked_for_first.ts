//# title = "a program that looks for a tool first may call one that is not there"
//# tools = "demo"
//# [expect]
//# result = '"none"'
//# calls = [["codemode.search", "applied"]]
//# warnings = ['line 9, column 28: unknown tool: `weather.forecast`; did you mean `weather.current`?']
const { results } = await codemode.search('forecast of the weather');
if (!results.some((one) => one.path === 'weather.forecast')) return 'none';
return await tools.weather.forecast({});
