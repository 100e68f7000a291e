//# title = "XMLHttpRequest is a ReferenceError with a hint of its own"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = 'XMLHttpRequest is not defined'
//# line = 9
//# column = 19
//# hint = 'there is no network here; call a tool instead; the globals here are `tools`, `console`, `require` and the usual ones of Node.js: timers, `URL`, `Buffer`, `crypto`, `structuredClone`, `TextEncoder`, `AbortController`, `Headers`, `Blob`, `process` and the like'
const value = new XMLHttpRequest();
return 1;
