//# title = "an error in a callback has the position in the callback"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'at two'
//# line = 9
//# column = 22
[1, 2].forEach((n) => {
  if (n === 2) throw new Error("at two");
});
