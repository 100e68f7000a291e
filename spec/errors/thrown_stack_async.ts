//# title = "the stack of an error behind an await starts with the function that threw"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'late'
//# line = 12
//# column = 9
//# [expect.error.details]
//# stack = 'at work (main.ts:12:13)'
async function work() {
  await null;
  throw new Error("late");
}
await work();
