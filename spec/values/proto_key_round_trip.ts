//# title = "a key called __proto__ crosses the wall as a key and changes no prototype"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"]]
//# result = '[["__proto__"],true,true,true]'
const back = await tools.demo.echo(JSON.parse('{"__proto__": {"polluted": true}}'));
return [Object.keys(back), back.polluted === undefined, Object.getPrototypeOf(back) === Object.prototype, ({} as any).polluted === undefined];
