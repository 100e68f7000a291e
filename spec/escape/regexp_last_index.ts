//# title = "a lastIndex that changes under the expression does not crash"
//# [expect]
//# result = 'true'
const expression: any = /a/gy;
expression.lastIndex = { valueOf() { expression.compile?.("b+", "g"); return 2 ** 40; } };
try { expression.exec("aaaa"); } catch {}
return true;
