//# title = "the parts of an enum make up one, and refer to each other's members"
//# [expect]
//# result = '[1,2,3,"A,B,C",{"X":"x"}]'
enum E { A = 1 }
enum E { B = A + 1 }
enum E { C = A | B }
{ enum Inner { X = "x" } var first = Inner }
{ enum Inner { Y = "y" } }
return [E.A, E.B, E.C, [E[1], E[2], E[3]].join(), first];
