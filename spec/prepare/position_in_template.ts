//# title = "an error inside of a template has its position"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = 'cannot read "y" of undefined: x is undefined'
//# line = 10
//# column = 9
const x: any = undefined;
return `a
  b ${x.y} c`;
