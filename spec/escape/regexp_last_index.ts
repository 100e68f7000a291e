//# title = "a lastIndex that changes under the expression does not crash"
//# [expect]
//# result = '[null,0]'
const expression: any = /a/gy;
expression.lastIndex = { valueOf() { expression.compile?.("b+", "g"); return 2 ** 40; } };
return [expression.exec("aaaa"), expression.lastIndex];
