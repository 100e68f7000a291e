//# title = "an assignment to a const has the position of the assignment"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "'a' is read-only"
//# line = 9
//# column = 1
const a = 1;
a = 2;
const b = 3;
return a + b;
