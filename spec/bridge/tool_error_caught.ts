//# title = "what a program sees of a tool's error: an Error with name, message, code and stack, and nothing else of the host"
//# tools = "demo"
//# [expect]
//# result = '[true,"ToolError","not today","TOOL",["code","message","name","stack"],"ToolError: not today",false,true]'
//# calls = [["demo.fail", "failed"]]
const error: any = await tools.demo.fail({ message: "not today" }).catch((error) => error);
return [
  error instanceof Error, error.name, error.message, error.code, Reflect.ownKeys(error).sort(), String(error),
  "cause" in error, Object.getPrototypeOf(error) === Error.prototype,
];
