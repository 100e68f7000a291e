//# title = "a bare last expression is the result"
//# [expect]
//# result = '6'
const a = 2;
const b = 3;
a * b
