//# title = "an error in the value of an enum member has its position"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = 'cannot read "length" of null: nothing is null'
//# line = 11
//# column = 15
const nothing: any = null;
enum E {
  A = 1,
  B = nothing.length,
}
return E.B;
