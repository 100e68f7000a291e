//# title = "a call of what is no function is a TypeError at the call"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = 'rows.push is not a function: rows is an object, not an array'
//# line = 9
//# column = 6
const rows: any = {};
rows.push(1);
