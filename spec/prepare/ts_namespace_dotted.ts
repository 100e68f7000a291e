//# title = "a namespace with dots is nested"
//# [expect]
//# result = '1'
namespace A.B.C { export const d = 1; }
return A.B.C.d;
