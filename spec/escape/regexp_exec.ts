//# title = "a replaced exec of a regular expression is the program's own"
//# [expect]
//# result = '["forged",null]'
const expression: any = /a/;
expression.exec = () => ["forged"];
return [expression[Symbol.match]("b")[0], /a/.exec("b")];
