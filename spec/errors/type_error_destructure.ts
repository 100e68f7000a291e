//# title = "destructuring of undefined is a TypeError"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = 'cannot destructure "a" of undefined: x is undefined'
//# line = 9
//# column = 11
const f = (x?: any) => {
  const { a } = x;
  return a;
};
return f();
