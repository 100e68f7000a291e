//# title = "an error in a comparator has its position"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'sort'
//# line = 9
//# column = 9
[2, 1].sort(() => {
  throw new Error("sort");
});
