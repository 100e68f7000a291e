//# title = "the page of a browser"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = "document is not defined"
//# line = 10
//# column = 8
//# hint = "this is not a browser; the globals here are `tools`, `console`, `require` and the usual ones of Node.js: timers, `URL`, `Buffer`, `crypto`, `structuredClone`, `TextEncoder`, `AbortController`, `Headers`, `Blob`, `process` and the like"
return document.title;
