//# title = "a last statement that declares a function or a class gives null, also as result"
//# [expect]
//# result = 'null'
//# warnings = ['the program returned `null`, logged nothing and called no tool: end it with `return` and a value']
function double(n: number) { return 2 * n; }
const four = double(2);
const result = class { four = four; };
