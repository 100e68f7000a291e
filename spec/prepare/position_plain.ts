//# title = "an error names its line and column"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'here'
//# line = 10
//# column = 9
const a = 1;
if (a) {
  throw new Error("here");
}
