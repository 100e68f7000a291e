//# title = "a name that does not exist"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = "customer is not defined"
//# line = 10
//# column = 8
//# hint = "the globals here are `tools`, `console`, `require` and the usual ones of Node.js: timers, `URL`, `Buffer`, `crypto`, `structuredClone`, `TextEncoder`, `AbortController`, `Headers`, `Blob`, `process` and the like"
return customer.name;
