//# title = "a call of what is no function is a TypeError at the call"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = 'not a function'
//# line = 9
//# column = 6
const rows: any = {};
rows.push(1);
