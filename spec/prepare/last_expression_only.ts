//# title = "one expression is a program"
//# [expect]
//# result = '[1,4,9]'
[1, 2, 3].map((n) => n ** 2)
