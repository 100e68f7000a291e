//# title = "an error in a timer ends the program at once"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'timer'
//# line = 9
//# column = 9
setTimeout(() => {
  throw new Error("timer");
}, 1);
await new Promise(() => {});
