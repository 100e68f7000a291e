//# title = "window is a ReferenceError with a hint of its own"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = 'window is not defined'
//# line = 9
//# column = 15
//# hint = 'this is not a browser; the globals here are `tools`, `console`, `setTimeout`, `clearTimeout`, `URL`, `URLSearchParams`, `TextEncoder`, `TextDecoder`, `atob`, `btoa`, `structuredClone`, `queueMicrotask`, `AbortController`, `AbortSignal`, `Event`, `EventTarget`, `DOMException` and the ECMAScript library'
const value = window.location;
return 1;
