//# title = "a promise that never settles"
//# tools = "demo"
//# [expect.error]
//# code = "DEADLOCK"
//# name = "DeadlockError"
//# message = "the program awaits a promise that can never resolve"
//# hint = "no tool call and no timer is active that could resolve it"
await new Promise(() => {});
return 1;
//# [correction]
//# group = "promises"
//# why = "The promise is never resolved, and nothing else is going on that could resolve it. Call `resolve`, or await a call or a timer."
//# program = '''
//# await new Promise((resolve) => setTimeout(resolve, 1));
//# return 1;
//# '''
//# [correction.expect]
//# result = '1'
