//# title = "module is a ReferenceError with a hint of its own"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = 'module is not defined'
//# line = 9
//# column = 15
//# hint = '`return` or `export default` the result instead; the globals here are `tools`, `console`, `require` and the usual ones of Node.js: timers, `URL`, `Buffer`, `crypto`, `structuredClone`, `TextEncoder`, `AbortController`, `Headers`, `Blob`, `process` and the like'
const value = module.exports;
return 1;
