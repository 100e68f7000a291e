//# title = "nothing is in tools, and no own property is"
//# tools = "demo"
//# [expect]
//# result = '[false,false,false,null,false]'
return [
  "demo" in tools, Object.hasOwn(tools, "demo"), Reflect.has(tools.demo, "echo"),
  Object.getOwnPropertyDescriptor(tools, "demo") ?? null, "then" in tools,
];
