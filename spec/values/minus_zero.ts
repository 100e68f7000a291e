//# title = "minus zero is 0"
//# [expect]
//# result = '[0,{"a":0}]'
return [-0, { a: -0 }];
