//# title = "a polluted Function.prototype does not reach the bridge, timers or the console"
//# tools = "demo"
//# [expect]
//# result = '[1,"fired"]'
//# logs = [["warn", "still here"]]
//# calls = [["demo.echo", "applied"]]
for (const name of ["call", "apply", "bind", "toString"]) {
  Object.defineProperty(Object.getPrototypeOf(() => {}), name, { value() { throw new Error("polluted"); }, configurable: true });
}
console.warn("still here");
return [await tools.demo.echo(1), await new Promise((resolve) => setTimeout(resolve, 1, "fired"))];
