//# title = "a last expression with commas gives its last value"
//# [expect]
//# result = '3'
1, 2, 3
