//# title = "a stack that the program made up does not hide the place of the throw"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'Error'
//# message = 'x'
//# line = 10
//# column = 7
(Error as any).prepareStackTrace = () => "    at forged (/etc/passwd:1:1)\n    at forged (main.ts:99999999999:1)\n    at (:::)";
throw new Error("x");
