//# title = "a polluted Object.prototype reaches neither inputs nor outputs nor errors of calls"
//# tools = "demo"
//# [expect]
//# result = '[{"a":1},"polluted",["stack","message","name","code"],"x","TOOL"]'
//# calls = [["demo.echo", "applied"], ["demo.fail", "failed"]]
for (const name of ["code", "cause", "stack", "seq", "path", "input", "origin", "details", "kind", "payload"]) {
  Object.defineProperty(Object.prototype, name, { value: "polluted", writable: true, configurable: true });
}
const answer = await tools.demo.echo({ a: 1 });
const error: any = await tools.demo.fail({ message: "x" }).catch((error) => error);
return [answer, (answer as any).seq, Reflect.ownKeys(error), error.message, error.code];
