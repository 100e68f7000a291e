//# title = "destructuring of undefined is a TypeError"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = '?'
//# line = 9
//# column = 17
const f = (x?: any) => {
  const { a } = x;
  return a;
};
return f();
