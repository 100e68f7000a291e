//# title = "with `warnings`, a program with mistakes runs"
//# tools = "demo"
//# checks = "warnings"
//# crashChanges = "a call that was left behind is not made again"
//# [expect]
//# result = '1'
//# calls = [["demo.echo", "applied"]]
//# warnings = ['line 11, column 54: unknown tool: `weather.forecast`; did you mean `weather.current`?']
tools.demo.echo(1).catch(() => 0);
const unset: unknown = undefined;
return unset === undefined ? 1 : await tools.weather.forecast({});
