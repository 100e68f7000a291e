//# title = "an error in finally replaces the first"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'second'
//# line = 11
//# column = 9
try {
  throw new Error("first");
} finally {
  throw new Error("second");
}
