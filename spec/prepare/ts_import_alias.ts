//# title = "an alias of a namespace's member is that member, and one of a type is nothing"
//# [expect]
//# result = '[1,2]'
namespace A.B { export const c = 1; export interface T { d: number } }
import c = A.B.c;
import B = A.B;
import T = A.B.T;
const t: T = { d: 2 };
return [c, t.d + (B.c - c)];
