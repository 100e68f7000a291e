//# title = "tools has nothing to enumerate and is no promise"
//# tools = "demo"
//# [expect]
//# result = '[[],[],[],false,"function","function","undefined","undefined",true,"{}",null]'
return [Object.keys(tools), Object.getOwnPropertyNames(tools), Reflect.ownKeys(tools.demo), "demo" in tools, typeof tools, typeof tools.a.b.c, typeof tools.then, typeof tools.demo.then, tools[Symbol.iterator as any] === undefined, JSON.stringify({ a: tools }), Object.getPrototypeOf(tools)];
