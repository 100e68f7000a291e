//# title = "a tool that panics fails its call, and nothing else"
//# tools = "spec"
//# [expect]
//# result = '["TOOL","ToolError","the tool failed",1]'
//# calls = [["spec.panic", "failed"], ["demo.echo", "applied"]]
const error: any = await tools.spec.panic({}).catch((error) => error);
return [error.code, error.name, error.message, await tools.demo.echo(1)];
