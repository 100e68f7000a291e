//# title = "new of what is no constructor is a TypeError"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = 'x is not a constructor: it is an object'
//# line = 9
//# column = 12
const x: any = {};
return new x();
