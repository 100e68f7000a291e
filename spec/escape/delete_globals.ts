//# title = "deleting every global that can be deleted leaves calls and await working"
//# tools = "demo"
//# [expect]
//# result = '{"a":1}'
//# calls = [["demo.echo", "applied"]]
const { getOwnPropertyNames } = Object;
const { deleteProperty } = Reflect;
const names = getOwnPropertyNames(globalThis);
for (let i = 0; i < names.length; i++) deleteProperty(globalThis, names[i]);
return await tools.demo.echo({ a: 1 });
