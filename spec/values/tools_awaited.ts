//# title = "awaiting tools itself does nothing"
//# tools = "demo"
//# [expect]
//# result = '[true,true]'
const same = await tools;
return [same === tools, (await tools.demo) !== undefined];
