//# title = "comments alone are a program that returns nothing"
//# [expect]
//# result = 'null'
//# warnings = ['the program returned `null`, logged nothing and called no tool: end it with `return` and a value']
// a
/* b */
