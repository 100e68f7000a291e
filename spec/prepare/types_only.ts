//# title = "types alone are a program that returns nothing"
//# [expect]
//# result = 'null'
interface A { a: number }
type B = A;
