//# title = "a property of undefined is a TypeError at the property"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = 'cannot read "length" of undefined: rows.list is undefined'
//# line = 9
//# column = 18
const rows: any = {};
return rows.list.length;
