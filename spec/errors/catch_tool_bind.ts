//# title = "methods of functions on a tool say what to write"
//# checks = "off"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo.bind", "failed"]]
//# result = '["UNKNOWN_TOOL unknown tool: `demo.echo.bind`; tools have no methods: write `(input) => tools.demo.echo(input)`","INVALID_INPUT tools.demo.echo.call takes one argument, an object; it was given 2; to call tools.demo.echo, write `(input) => tools.demo.echo(input)`"]'
const told: string[] = [];
for (const call of [() => tools.demo.echo.bind({}), () => tools.demo.echo.call(null, { a: 1 })]) {
  try {
    await call();
  } catch (error: any) {
    told.push(`${error.code} ${error.message}`);
  }
}
return told;
