//# title = "an error in the executor of a promise is a rejection with its position"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'executor'
//# line = 9
//# column = 9
await new Promise(() => {
  throw new Error("executor");
});
