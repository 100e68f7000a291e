//# title = "comments alone are a program that returns nothing"
//# [expect]
//# result = 'null'
// a
/* b */
