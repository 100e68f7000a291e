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
//# [correction]
//# group = "absent"
//# why = "A program runs in a sandbox without an operating system, so it cannot start processes. Call a tool that does the work."
//# program = '''
//# return await tools.cities.list({ country: "Norway" });
//# '''
//# [correction.expect]
//# result = '["Oslo","Bergen"]'
//# calls = [["cities.list", "applied"]]
