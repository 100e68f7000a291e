//# title = "an error in an interval ends the program at once"
//# [expect.error]
//# code = "THROWN"
//# name = "RangeError"
//# message = 'second'
//# line = 11
//# column = 11
let turns = 0;
setInterval(() => {
  if (++turns === 2) {
    throw new RangeError("second");
  }
}, 1);
await new Promise(() => {});
