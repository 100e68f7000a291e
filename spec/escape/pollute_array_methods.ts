//# title = "the bridge uses no method that a program can replace"
//# tools = "demo"
//# [expect]
//# result = '{"list":[3,4]}'
//# logs = [["log", "[1,2] {\"a\":\"b\"}"]]
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"]]
for (const prototype of [Array.prototype, String.prototype, Map.prototype, Set.prototype, Number.prototype, RegExp.prototype, Object.prototype] as any[]) {
  for (const name of Object.getOwnPropertyNames(prototype)) {
    if (name === "constructor" || name === "__proto__") continue;
    try { Object.defineProperty(prototype, name, { value() { throw new Error("polluted " + name); }, configurable: true, writable: true }); } catch {}
  }
}
console.log([1, 2], { a: "b" });
await tools.demo.echo({ list: [1, 2] });
return await tools.demo.echo({ list: [3, 4] });
