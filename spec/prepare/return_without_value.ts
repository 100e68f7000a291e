//# title = "a return without a value gives null"
//# [expect]
//# result = 'null'
return;
