//# title = "the position of a call of what is no function is that of the call"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = 'not a function'
//# line = 9
//# column = 3
const o: any = {}, a = { b: 1 };
o.missing(
  a.b,
);
