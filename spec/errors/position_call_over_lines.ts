//# title = "the position of an error over several lines is its first line"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'ab'
//# line = 9
//# column = 7
const a = "a", b = "b";
throw new Error(
  a +
    b,
);
