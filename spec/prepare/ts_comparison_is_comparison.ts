//# title = "less-than and greater-than stay comparisons where they are"
//# [expect]
//# result = '[true,true,true,false]'
const a = 1, b = 2, c = 3;
return [a < b, c > b, a < b && c > (b), (a < b) > (c as any)];
