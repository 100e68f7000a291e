//# title = "eval is a ReferenceError with a hint of its own"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = 'eval is not defined'
//# line = 9
//# column = 15
//# hint = 'code cannot be made from text here; the globals here are `tools`, `console`, `setTimeout`, `clearTimeout`, `URL`, `URLSearchParams`, `TextEncoder`, `TextDecoder`, `atob`, `btoa`, `structuredClone`, `queueMicrotask`, `AbortController`, `AbortSignal`, `Event`, `EventTarget`, `DOMException` and the ECMAScript library'
const value = eval("1");
return 1;
