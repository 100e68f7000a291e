//# title = "a program that ends before its time-out is not stopped"
//# limits = { timeout = "10s" }
//# [expect]
//# result = '4950'
let sum = 0;
for (let i = 0; i < 100; i++) sum += i;
return sum;
