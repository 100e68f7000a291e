//# title = "an enum that is declared twice is one"
//# [expect]
//# result = '[1,2]'
enum E { A = 1 }
enum E { B = 2 }
return [E.A, E.B];
