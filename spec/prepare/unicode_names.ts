//# title = "names may be in any alphabet"
//# [expect]
//# result = '[1,2,3]'
const größe = 1, 名前 = 2, \u0061b = 3;
return [größe, 名前, ab];
