//# title = "one string is an expression, not a directive"
//# [expect]
//# result = '"just text"'
"just text"
