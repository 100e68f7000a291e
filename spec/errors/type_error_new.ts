//# title = "new of what is no constructor is a TypeError"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = '?'
//# line = 9
//# column = 8
const x: any = {};
return new x();
