//# title = "what a tool says to the host alone is nowhere in the error"
//# tools = "spec"
//# [expect]
//# result = '["the tool failed","TOOL","ToolError",false]'
//# calls = [["spec.secret", "failed"]]
const error: any = await tools.spec.secret({}).catch((error) => error);
const everything = [error.message, error.stack, error.cause, JSON.stringify(error), ...Reflect.ownKeys(error).map((key) => error[key])].join();
return [error.message, error.code, error.name, /hunter2|secret\b.*etc|\/etc/.test(everything)];
