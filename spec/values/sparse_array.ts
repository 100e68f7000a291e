//# title = "holes in an array are null"
//# [expect]
//# result = '[1,null,3,null,5]'
const a = [1, , 3];
a[4] = 5;
return a;
