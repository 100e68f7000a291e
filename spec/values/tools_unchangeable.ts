//# title = "tools cannot be changed"
//# tools = "demo"
//# [expect]
//# result = '[["TypeError","TypeError","TypeError","TypeError"],"function"]'
const names = [];
for (const change of [() => { tools.x = 1; }, () => { tools.demo.echo = 1; }, () => { (globalThis as any).tools = 1; }, () => Object.defineProperty(tools, "x", { value: 1 })]) {
  try {
    change();
    names.push("changed");
  } catch (error) {
    names.push(error.name);
  }
}
return [names, typeof tools.x];
