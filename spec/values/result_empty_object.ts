//# title = "empty object is a result"
//# [expect]
//# result = '{}'
return {};
