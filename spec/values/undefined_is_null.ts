//# title = "a program that returns nothing has the result null"
//# [expect]
//# result = 'null'
//# warnings = ['the program returned `null`, logged nothing and called no tool: end it with `return` and a value']
const x = 1;
