//# title = "the getters and setters of built-in objects have constructors that make no code either"
//# differsFromNode = "Node makes code from text"
//# [expect]
//# result = '["code cannot be made from text here"]'
const seen = new Set<string>();
for (const [target, key] of [[Object.prototype, "__proto__"], [Map.prototype, "size"], [RegExp.prototype, "flags"], [URL.prototype, "href"], [Symbol.prototype, "description"], [Promise, Symbol.species]] as any[]) {
  const { get } = Object.getOwnPropertyDescriptor(target, key)!;
  try { seen.add(String(get!.constructor("return globalThis")())); } catch (error) { seen.add(error.message); }
}
return [...seen];
