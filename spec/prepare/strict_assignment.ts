//# title = "strict mode: an assignment to an undeclared name throws"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = 'undeclared is not defined'
//# line = 8
//# column = 1
undeclared = 1;
return 1;
