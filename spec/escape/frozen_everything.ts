//# title = "with every prototype frozen, calls, timers and the console work"
//# tools = "demo"
//# [expect]
//# result = '[1,"TOOL",2]'
//# logs = [["log", "ok"]]
//# calls = [["demo.echo", "applied"], ["demo.fail", "failed"]]
for (const name of Object.getOwnPropertyNames(globalThis)) {
  const value = (globalThis as any)[name];
  if (typeof value === "function" && name !== "tools") { Object.freeze(value); if (value.prototype) Object.freeze(value.prototype); }
}
Object.freeze(globalThis);
console.log("ok");
return [
  await tools.demo.echo(1),
  await tools.demo.fail({ message: "x" }).catch((error) => error.code),
  await new Promise((resolve) => setTimeout(resolve, 1, 2)),
];
