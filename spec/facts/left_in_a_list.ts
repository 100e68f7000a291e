//# title = "globalThis.facts that is a list, or behind a getter, counts for nothing"
//# tools = "demo"
//# [expect]
//# result = '1'
globalThis.facts = ["a"];
if (codemode.fact === undefined) Object.defineProperty(globalThis, "facts", { get: () => ({ a: 1 }) });
return 1;
