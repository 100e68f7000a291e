//# title = "enumerating tools shows nothing"
//# tools = "demo"
//# [expect]
//# result = '[[],[],[],[],[],[],0]'
let count = 0;
for (const _ in tools) count++;
return [
  Object.keys(tools), Object.entries(tools.demo), Object.getOwnPropertyNames(tools), Object.getOwnPropertySymbols(tools),
  Reflect.ownKeys(tools.demo.echo), Object.keys({ ...tools }), count,
];
