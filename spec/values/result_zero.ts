//# title = "zero is a result"
//# [expect]
//# result = '0'
return 0;
