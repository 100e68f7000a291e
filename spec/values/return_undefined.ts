//# title = "undefined as the result is null"
//# [expect]
//# result = 'null'
return undefined;
