//# title = "destructuring of what is not iterable has the place of the pattern"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "value is not iterable"
//# line = 9
//# column = 7
const rows: any = {};
const [first, second] = rows;
return [first, second];
