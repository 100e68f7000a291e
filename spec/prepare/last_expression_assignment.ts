//# title = "the value of an assignment at the end is the result"
//# [expect]
//# result = '5'
let total = 1;
total += 4;
