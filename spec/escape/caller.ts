//# title = "neither caller nor arguments of a function can be reached"
//# [expect]
//# result = '["TypeError","TypeError","TypeError"]'
const name = (f: () => unknown) => { try { f(); return "none"; } catch (error) { return error.name; } };
function f(this: any) {}
return [name(() => (f as any).caller), name(() => (f as any).arguments), name(() => (function () { return arguments.callee; })())];
