//# title = "the last expression of a transformed program keeps its position"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = 'cannot read "length" of null: list is null'
//# line = 10
//# column = 12
enum E { A }
const list: any = null;
E.A + list.length
