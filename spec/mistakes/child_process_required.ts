//# title = "a process started"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = "cannot require 'child_process': a program cannot start processes or threads; call a tool"
//# line = 9
//# column = 22
const { execSync } = require("child_process");
return execSync("ls").toString();
