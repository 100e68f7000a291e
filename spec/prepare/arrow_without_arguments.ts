//# title = "the function is called without arguments"
//# [expect]
//# result = '0'
async (...all) => all.length
