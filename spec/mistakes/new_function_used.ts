//# title = "a function made from text"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = "Function is not defined"
//# line = 10
//# column = 12
//# hint = "code cannot be made from text here; the globals here are `tools`, `console`, `require` and the usual ones of Node.js: timers, `URL`, `Buffer`, `crypto`, `structuredClone`, `TextEncoder`, `AbortController`, `Headers`, `Blob`, `process` and the like"
return new Function("return 1")();
//# [correction]
//# group = "absent"
//# why = "The sandbox runs only the program that it was given, so text cannot become code. Write a function."
//# program = '''
//# const one = () => 1;
//# return one();
//# '''
//# [correction.expect]
//# result = '1'
