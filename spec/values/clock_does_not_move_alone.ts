//# title = "the clock does not move while the program computes"
//# differsFromNode = "the clock of Node moves by itself"
//# [expect]
//# result = '1'
const a = Date.now();
let n = 0;
for (let i = 0; i < 1e6; i++) n += i;
return Date.now() - a;
