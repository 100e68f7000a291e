//# title = "eval and Function are not there by any route"
//# differsFromNode = "Node has Function and makes code from text"
//# [expect]
//# result = '["undefined","undefined",false,false,null,null,"ReferenceError","ReferenceError"]'
const name = (f: () => unknown) => { try { f(); return "none"; } catch (error) { return error.name; } };
return [
  typeof globalThis["ev" + "al"], typeof globalThis["Func" + "tion"], "eval" in globalThis, Reflect.has(globalThis, "Function"),
  Object.getOwnPropertyDescriptor(globalThis, "eval") ?? null, Reflect.get(globalThis, "Function") ?? null,
  name(() => eval("1")), name(() => Function("return 1")),
];
