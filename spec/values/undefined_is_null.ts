//# title = "a program that returns nothing has the result null"
//# [expect]
//# result = 'null'
const x = 1;
