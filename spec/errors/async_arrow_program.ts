//# title = "an arrow function as a program fails like others"
//# [expect.error]
//# code = "THROWN"
//# name = "RangeError"
//# message = 'arrow'
//# line = 10
//# column = 9
async () => {
  await null;
  throw new RangeError("arrow");
}
