//# title = "code made from text"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = "eval is not defined"
//# line = 10
//# column = 8
//# hint = "code cannot be made from text here; the globals here are `tools`, `console`, `require` and the usual ones of Node.js: timers, `URL`, `Buffer`, `crypto`, `structuredClone`, `TextEncoder`, `AbortController`, `Headers`, `Blob`, `process` and the like"
return eval("1 + 1");
//# [correction]
//# group = "absent"
//# why = "The sandbox runs only the program that it was given, so text cannot become code. Write the code itself, or parse data with `JSON.parse`."
//# program = '''
//# return JSON.parse("[1, 2]").reduce((a: number, b: number) => a + b, 0);
//# '''
//# [correction.expect]
//# result = '3'
