//# title = "Function is a ReferenceError with a hint of its own"
//# differsFromNode = "Node has it"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = 'Function is not defined'
//# line = 10
//# column = 19
//# hint = 'code cannot be made from text here; the globals here are `tools`, `console`, `require` and the usual ones of Node.js: timers, `URL`, `Buffer`, `crypto`, `structuredClone`, `TextEncoder`, `AbortController`, `Headers`, `Blob`, `process` and the like'
const value = new Function("return 1");
return 1;
