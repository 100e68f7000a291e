//# title = "there are no arguments at the top, those of a wrapper least of all"
//# [expect]
//# result = '["undefined","undefined","ReferenceError"]'
const name = (f: () => unknown) => { try { f(); return "none"; } catch (error) { return error.name; } };
return [typeof arguments, (() => typeof arguments)(), name(() => arguments.callee)];
