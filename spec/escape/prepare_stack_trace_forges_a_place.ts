//# title = "a stack that the program made up gives no place outside its text"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'Error'
//# message = 'x'
(Error as any).prepareStackTrace = () => "    at forged (/etc/passwd:1:1)\n    at forged (main.ts:99999999999:1)\n    at (:::)";
throw new Error("x");
