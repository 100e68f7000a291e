//# title = "tools is no promise: awaiting it gives tools"
//# tools = "demo"
//# [expect]
//# result = '[true,true,true]'
return [(await tools) === tools, (await Promise.resolve(tools)) === tools, typeof (await tools.demo.echo) === "function"];
