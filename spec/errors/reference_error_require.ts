//# title = "require is a ReferenceError with a hint of its own"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = 'require is not defined'
//# line = 9
//# column = 15
//# hint = 'modules cannot be loaded here; the globals here are `tools`, `console`, `setTimeout`, `clearTimeout`, `URL`, `URLSearchParams`, `TextEncoder`, `TextDecoder`, `atob`, `btoa`, `structuredClone`, `queueMicrotask`, `AbortController`, `AbortSignal`, `Event`, `EventTarget`, `DOMException` and the ECMAScript library'
const value = require("fs");
return 1;
