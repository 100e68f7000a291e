//# title = "an error in a then has the position in it"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'then'
//# line = 9
//# column = 9
await Promise.resolve(1).then(() => {
  throw new Error("then");
});
