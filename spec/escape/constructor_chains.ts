//# title = "the constructor chains of every kind of value end at the same powerless constructor"
//# differsFromNode = "Node makes code from text"
//# [expect]
//# result = '[["code cannot be made from text here"],35]'
const values: any[] = [
  1, "a", true, 1n, Symbol(), {}, [], /a/, new Date(), new Map(), new Set(), new WeakMap(), new Error(), new Proxy({}, {}),
  Promise.resolve(), new Uint8Array(1), new ArrayBuffer(1), new DataView(new ArrayBuffer(1)), JSON, Math, Reflect,
  (function () { return arguments; })(), [][Symbol.iterator](), "a".matchAll(/a/g), new URL("https://a.b"), new URLSearchParams(),
  new TextEncoder(), new TextDecoder(), new AbortController(), new AbortController().signal, new Event("a"), console,
  setTimeout, console.log, structuredClone,
];
const seen = new Set<string>();
for (const value of values) {
  try { seen.add(String(value.constructor.constructor("return globalThis")())); } catch (error) { seen.add(error.message); }
}
return [[...seen], values.length];
