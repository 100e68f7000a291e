//# title = "the last-expression line keeps its columns"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = 'cannot read "length" of null: list is null'
//# line = 10
//# column = 10
const f = () => { throw new Error("late"); };
const list: any = null;
1 + list.length
