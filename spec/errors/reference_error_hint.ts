//# title = "a ReferenceError hints at the globals there are"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = 'missingName is not defined'
//# line = 9
//# column = 8
//# hint = 'the globals here are `tools`, `console`, `require` and the usual ones of Node.js: timers, `URL`, `Buffer`, `crypto`, `structuredClone`, `TextEncoder`, `AbortController`, `Headers`, `Blob`, `process` and the like'
return missingName + 1;
