//# title = "the position of a call of what is no function is that of the call"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = 'o.missing is not a function: it is undefined'
//# line = 9
//# column = 3
const o: any = {}, a = { b: 1 };
o.missing(
  a.b,
);
