//# title = "a loop over what is not iterable has the place of what it is over"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "rows is not iterable: rows is a number"
//# line = 9
//# column = 19
const rows: any = 5;
for (const row of rows) console.log(row);
