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
