//# title = "the prototype of tools cannot be changed"
//# tools = "demo"
//# [expect]
//# result = '["TypeError",false,true]'
let name = "none";
try { Object.setPrototypeOf(tools, { polluted: true }); } catch (error) { name = error.name; }
return [name, Reflect.setPrototypeOf(tools, Array.prototype), Object.getPrototypeOf(tools) === null];
