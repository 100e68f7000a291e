//# title = "a mistake behind a continue under a condition is a warning"
//# tools = "demo"
//# [expect]
//# result = '2'
//# warnings = ['line 10, column 23: unknown tool: `weather.forecast`; did you mean `weather.current`?']
let count = 0;
for (const city of ['Oslo', 'Rome']) {
  count += 1;
  if (city.length === 4) continue;
  await tools.weather.forecast({ city });
}
return count;
