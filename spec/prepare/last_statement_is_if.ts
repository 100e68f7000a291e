//# title = "a last statement that is no expression gives null"
//# [expect]
//# result = 'null'
let x = 1;
if (x) { x = 2; }
