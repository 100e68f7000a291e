//# title = "tools has no prototype, and cannot be given one"
//# tools = "demo"
//# [expect]
//# result = '["TypeError",false,null,false]'
let name = "changed";
try {
  Object.setPrototypeOf(tools, { a: 1 });
} catch (error) {
  name = error.name;
}
return [name, Reflect.setPrototypeOf(tools.demo, {}), Object.getPrototypeOf(tools), Object.isExtensible(tools)];
