//# title = "true is a result"
//# [expect]
//# result = 'true'
return true;
