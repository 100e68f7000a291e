//# title = "false is a result"
//# [expect]
//# result = 'false'
return false;
