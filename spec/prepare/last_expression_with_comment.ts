//# title = "a comment behind the last expression is no part of it"
//# [expect]
//# result = '42'
const n = 6;
n * 7 // the answer
// and more
