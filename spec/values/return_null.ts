//# title = "null as the result is null"
//# [expect]
//# result = 'null'
return null;
