//# title = "a tool passed to map is given three arguments, and says so"
//# tools = "demo"
//# [expect]
//# result = '["INVALID_INPUT","tools.demo.echo takes one argument, an object; it was given 3"]'
const [only] = await Promise.allSettled([1].map(tools.demo.echo));
return [only.reason.code, only.reason.message];
