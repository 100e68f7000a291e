//# title = "XMLHttpRequest is a ReferenceError with a hint of its own"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = 'XMLHttpRequest is not defined'
//# line = 9
//# column = 19
//# hint = 'there is no network here; call a tool instead; the globals here are `tools`, `console`, `setTimeout`, `clearTimeout`, `URL`, `URLSearchParams`, `TextEncoder`, `TextDecoder`, `atob`, `btoa`, `structuredClone`, `queueMicrotask`, `AbortController`, `AbortSignal`, `Event`, `EventTarget`, `DOMException` and the ECMAScript library'
const value = new XMLHttpRequest();
return 1;
