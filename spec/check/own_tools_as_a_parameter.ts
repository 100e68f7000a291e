//# title = "a parameter with the name `tools` is not the tools"
//# tools = "demo"
//# [expect]
//# result = '[1,2]'
//# calls = [["demo.echo", "applied"]]
const run = async (tools: any) => await tools.weather.forecast(1);
return [await run({ weather: { forecast: (x: number) => x } }), await tools.demo.echo(2)];
