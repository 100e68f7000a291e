//# title = "an undefined callback called"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "handlers.start is not a function: it is undefined"
//# line = 10
//# column = 17
const handlers: any = {};
return handlers.start("now");
//# [correction]
//# group = "missing"
//# why = "The property is missing, so there is no function to call. `?.()` calls a function only if it is there."
//# program = '''
//# const handlers: any = {};
//# return handlers.start?.("now") ?? "none";
//# '''
//# [correction.expect]
//# result = '"none"'
