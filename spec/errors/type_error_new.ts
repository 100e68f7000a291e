//# title = "new of what is no constructor is a TypeError"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = 'not a constructor'
//# line = 9
//# column = 12
const x: any = {};
return new x();
