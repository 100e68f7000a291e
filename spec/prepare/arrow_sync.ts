//# title = "one arrow function that is not async is called as well"
//# [expect]
//# result = '{"form":"arrow"}'
() => ({ form: "arrow" })
