//# title = "the process ended"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = "process.exit is not available: `return` ends the program with a result, `throw` with an error"
//# line = 9
//# column = 20
if (1 < 2) process.exit(1);
return 1;
//# [correction]
//# group = "absent"
//# why = "A program is no process. `return` ends it with a result, `throw` with an error."
//# program = '''
//# if (1 < 2) return { done: false };
//# return { done: true };
//# '''
//# [correction.expect]
//# result = '{"done":false}'
