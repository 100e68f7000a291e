//# title = "tools can be a key and a member like any object"
//# tools = "demo"
//# [expect]
//# result = '[1,true,true]'
const map = new Map<unknown, number>([[tools, 1]]);
const weak = new WeakMap<object, boolean>([[tools as any, true]]);
return [map.get(tools), weak.get(tools as any), new Set([tools]).has(tools)];
