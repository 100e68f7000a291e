//# title = "frames of built-in functions are left out"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'in map'
//# line = 11
//# column = 9
//# [expect.error.details]
//# stack = "at each (main.ts:11:13)\nat <anonymous> (main.ts:10:5)"
[1].map(function each() {
  throw new Error("in map");
});
