//# title = "deleting every global that can be deleted leaves calls and await working"
//# tools = "demo"
//# [expect]
//# result = '{"a":1}'
//# calls = [["demo.echo", "applied"]]
const { getOwnPropertyNames } = Object;
const { deleteProperty } = Reflect;
const global = globalThis;
const names = getOwnPropertyNames(global);
for (let i = 0; i < names.length; i++) deleteProperty(global, names[i]);
return await tools.demo.echo({ a: 1 });
