//# title = "structuredClone refuses tools"
//# tools = "demo"
//# [expect]
//# result = '["DataCloneError","DataCloneError"]'
const name = (f: () => unknown) => { try { f(); return "none"; } catch (error) { return error.name; } };
return [name(() => structuredClone(tools)), name(() => structuredClone({ a: [tools.demo.echo] }))];
