//# title = "an input with an own __proto__ arrives, and comes back"
//# tools = "demo"
//# [expect]
//# result = '["{\"__proto__\":{\"polluted\":true}}",null]'
//# calls = [["demo.echo", "applied"]]
const value = await tools.demo.echo(JSON.parse('{"__proto__":{"polluted":true}}'));
return [JSON.stringify(value), ({} as any).polluted ?? null];
