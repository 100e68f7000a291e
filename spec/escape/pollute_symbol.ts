//# title = "replaced well-known symbols of prototypes do not reach values on their way"
//# tools = "demo"
//# [expect]
//# result = '{"list":[1],"text":"a"}'
//# calls = [["demo.echo", "applied"]]
for (const target of [Object.prototype, Array.prototype, String.prototype] as any[]) {
  for (const symbol of [Symbol.toPrimitive, Symbol.toStringTag, Symbol.isConcatSpreadable, Symbol.unscopables]) {
    Object.defineProperty(target, symbol, { get() { throw new Error("polluted"); }, configurable: true });
  }
}
return await tools.demo.echo({ list: [1], text: "a" });
