//# title = "a global that no rule allows is found, and a variable with its name is not"
//# tools = "demo"
//# [[config.rules]]
//# allow = "globals"
//# names = ["tools", "JSON"]
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'the global `Math` is not allowed here'
//# line = 14
//# column = 15
const Date = 1;
return [Date, Math.max(1, 2)];
