//# title = "a tool is no constructor"
//# tools = "demo"
//# [expect]
//# result = '["TypeError","TypeError","TypeError"]'
const name = (f: () => unknown) => { try { f(); return "none"; } catch (error) { return error.name; } };
return [name(() => new tools.demo.echo({})), name(() => Reflect.construct(tools as any, [])), name(() => { class A extends (tools as any) {} })];
