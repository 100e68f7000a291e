//# title = "empty string is a result"
//# [expect]
//# result = '""'
return "";
