//# title = "a thrown value has the position of its throw"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'm'
//# line = 9
//# column = 7
const message = "m";
throw Object.assign(
  {},
  { message },
);
