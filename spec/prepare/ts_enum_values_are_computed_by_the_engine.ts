//# title = "the values of an enum are what the engine computes"
//# [expect]
//# result = '[5,"ab",6,"6",-1,"dashed","five"]'
const five = () => 5;
enum E { A = +"5", B = `a${"b"}` as any, C = five() + 1, D = `${C}`, N = -1, "a-b" = "dashed", default = "five" }
return [E.A, E.B, E.C, E.D, E.N, E["a-b"], E.default];
