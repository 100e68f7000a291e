//# title = "a step without a name or without work is a type error"
//# tools = "demo"
//# [expect]
//# result = '["TypeError","TypeError","TypeError","codemode.step takes a name and a function: codemode.step(\"total\", async () => …)"]'
const attempt = (...args) => codemode.step(...args).catch((error) => error);
return [(await attempt()).name, (await attempt("a")).name, (await attempt(() => 1, "a")).name, (await attempt("a", 1)).message];
