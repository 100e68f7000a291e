//# title = "process is a ReferenceError with a hint of its own"
//# differsFromNode = "Node has it"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = 'process is not defined'
//# line = 10
//# column = 15
//# hint = 'this is not Node.js; the globals here are `tools`, `console`, `setTimeout`, `clearTimeout`, `URL`, `URLSearchParams`, `TextEncoder`, `TextDecoder`, `atob`, `btoa`, `structuredClone`, `queueMicrotask`, `AbortController`, `AbortSignal`, `Event`, `EventTarget`, `DOMException` and the ECMAScript library'
const value = process.env;
return 1;
