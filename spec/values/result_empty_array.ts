//# title = "empty array is a result"
//# [expect]
//# result = '[]'
return [];
