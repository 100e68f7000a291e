//# title = "types alone are a program that returns nothing"
//# [expect]
//# result = 'null'
//# warnings = ['the program returned `null`, logged nothing and called no tool: end it with `return` and a value']
interface A { a: number }
type B = A;
