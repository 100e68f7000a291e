//# title = "functions do not show their source"
//# differsFromNode = "Node shows the source"
//# [expect]
//# result = '["function named() { [native code] }","function () { [native code] }","function A() { [native code] }"]'
function named(a: number) { return a + 1; }
return [String(named), (() => 1).toString(), String(class A {})].map((text) => text.replace(/\s+/g, " "));
