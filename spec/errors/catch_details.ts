//# title = "details that a tool gives its error are properties of the error, and never replace what every error has"
//# tools = "spec"
//# [expect]
//# calls = [["spec.refuse", "failed"]]
//# result = '[404,{"why":["gone",null]},"refused","ToolError","TOOL",true,["body","code","message","name","stack","status"],[]]'
try {
  await tools.spec.refuse({ status: 404, body: { why: ["gone", null] }, code: "MINE", name: "Mine", message: "mine", stack: "mine" });
  return "no error";
} catch (error: any) {
  const { status, body, message, name, code, stack } = error;
  return [status, body, message, name, code, stack !== "mine", Reflect.ownKeys(error).sort(), Object.keys(error)];
}
