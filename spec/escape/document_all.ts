//# title = "no object pretends to be undefined"
//# [expect]
//# result = '[]'
return Object.getOwnPropertyNames(globalThis).filter((name) => name !== "undefined" && typeof (globalThis as any)[name] === "undefined");
