//# title = "NaN as the result is null"
//# [expect]
//# result = 'null'
return NaN;
