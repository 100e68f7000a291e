//# title = "process.exit says what ends a program"
//# differsFromNode = "Node exits"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = "process.exit is not available: `return` ends the program with a result, `throw` with an error"
//# line = 9
//# column = 9
process.exit(1);
return 1;
