//# title = "tools is an instance of nothing, and nothing is an instance of it"
//# tools = "demo"
//# [expect]
//# result = '[false,false,false,"function",true]'
const Functions: any = (() => {}).constructor;
return [tools instanceof Object, tools.demo instanceof Functions, {} instanceof (tools as any), typeof tools, Object.getPrototypeOf(tools) === null];
