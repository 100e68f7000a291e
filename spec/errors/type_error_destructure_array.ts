//# title = "destructuring of what is not iterable has the place of the pattern"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "rows is not iterable: rows is an object; use Object.entries, Object.keys or Object.values"
//# line = 9
//# column = 7
const rows: any = {};
const [first, second] = rows;
return [first, second];
