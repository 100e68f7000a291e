//# title = "a mistake in a method that is never called is a warning"
//# tools = "demo"
//# [expect]
//# result = '"function"'
//# warnings = ['line 8, column 32: unknown tool: `weather.forecast`; did you mean `weather.current`?']
class Report {
  async send(city: string) {
    return await tools.weather.forecast({ city });
  }
}
return typeof new Report().send;
