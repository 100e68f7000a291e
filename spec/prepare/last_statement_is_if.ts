//# title = "a last statement that is no expression gives null"
//# [expect]
//# result = 'null'
//# warnings = ['the program returned `null`, logged nothing and called no tool: end it with `return` and a value']
let x = 1;
if (x) { x = 2; }
