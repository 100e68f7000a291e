//# title = "an error after an await has the position of its throw"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'late'
//# line = 10
//# column = 9
async function work() {
  await null;
  throw new Error("late");
}
await work();
