//# title = "an uncaught Error ends the program"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'plain'
//# line = 9
//# column = 9
function f() {
  throw new Error("plain");
}
f();
