//# title = "an index of null is a TypeError with a position"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = 'cannot read "0" of null: rows is null'
//# line = 9
//# column = 12
const rows: any = null;
return rows[0];
