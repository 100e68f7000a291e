//# title = "tools and what is below it cannot be assigned to"
//# tools = "demo"
//# [expect]
//# result = '["TypeError: tools cannot be changed","TypeError: tools cannot be changed","TypeError: tools cannot be changed",false]'
const text = (f: () => unknown) => { try { return f(); } catch (error) { return String(error); } };
return [
  text(() => { tools.demo = 1 as any; }),
  text(() => { tools.demo.echo = (() => 1) as any; }),
  text(() => Object.defineProperty(tools, "demo", { value: 1 })),
  text(() => { try { return Reflect.set(tools, "demo", 1); } catch { return false; } }),
];
