//# title = "a path is a new object every time, and tools is always the same"
//# tools = "demo"
//# [expect]
//# result = '[true,false,true]'
return [tools === globalThis.tools, tools.demo === tools.demo, Object.is(tools, tools)];
