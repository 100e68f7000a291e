//# title = "fetch is a ReferenceError with a hint of its own"
//# differsFromNode = "Node has it"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = 'fetch is not defined'
//# line = 10
//# column = 21
//# hint = 'there is no network here; call a tool instead; the globals here are `tools`, `console`, `require` and the usual ones of Node.js: timers, `URL`, `Buffer`, `crypto`, `structuredClone`, `TextEncoder`, `AbortController`, `Headers`, `Blob`, `process` and the like'
const value = await fetch("https://example.com");
return 1;
