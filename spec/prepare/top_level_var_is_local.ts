//# title = "names at the top are not properties of the global object"
//# [expect]
//# result = '["undefined","undefined"]'
var a = 1;
function b() {}
return [typeof (globalThis as any).a, typeof (globalThis as any).b];
