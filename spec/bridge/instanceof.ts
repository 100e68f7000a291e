//# title = "tools is an instance of nothing, and nothing is an instance of it"
//# tools = "demo"
//# [expect]
//# result = '[false,false,"TypeError","function",true]'
let name;
try { ({}) instanceof (tools as any); name = "none"; } catch (error) { name = error.name; }
return [tools instanceof Object, tools.demo instanceof Function, name, typeof tools, Object.getPrototypeOf(tools) === null];
