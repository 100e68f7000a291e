//# title = "an iteration over the pages of a tool that has none ends with the error of its call"
//# tools = "demo"
//# [expect]
//# result = '["UNKNOWN_TOOL"]'
//# calls = [["demo.echo.pages", "failed"]]
const kinds = [];
try {
  for await (const page of tools.demo.echo.pages({})) kinds.push(page);
} catch (error: any) {
  kinds.push(error.code);
}
return kinds;
