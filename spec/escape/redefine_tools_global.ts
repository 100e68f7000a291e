//# title = "the global tools cannot be replaced, redefined or deleted"
//# tools = "demo"
//# [expect]
//# result = '["TypeError","TypeError","TypeError",false,1]'
//# calls = [["demo.echo", "applied"]]
const name = (f: () => unknown) => { try { f(); return "none"; } catch (error) { return error.name; } };
return [
  name(() => { (globalThis as any).tools = 1; }),
  name(() => { delete (globalThis as any).tools; }),
  name(() => Object.defineProperty(globalThis, "tools", { value: 1 })),
  Reflect.set(globalThis, "tools", 1),
  await tools.demo.echo(1),
];
