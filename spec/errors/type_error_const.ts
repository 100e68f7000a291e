//# title = "an assignment to a const is a TypeError"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "'a' is read-only"
//# line = 9
//# column = 2
const a = 1;
(a as any) = 2;
