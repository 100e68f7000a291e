//# title = "Promise.all of nothing is an empty list"
//# [expect]
//# result = '[]'
return await Promise.all([]);
