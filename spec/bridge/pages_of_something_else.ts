//# title = "a tool named pages that returns none says so when it is iterated over"
//# tools = "demo"
//# [expect]
//# result = '["UNKNOWN_TOOL","is not iterable"]'
//# calls = [["demo.echo.pages", "failed"], ["demo.echo", "applied"]]
const kinds = [];
try { for await (const page of tools.demo.echo.pages({})) kinds.push(page); } catch (error: any) { kinds.push(error.code); }
try { for await (const page of tools.demo.echo({}) as any) kinds.push(page); } catch (error: any) { kinds.push(error.message.includes("iterable") ? "is not iterable" : error.message); }
return kinds;
