//# title = "setInterval is a ReferenceError with a hint of its own"
//# differsFromNode = "Node has it"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = 'setInterval is not defined'
//# line = 10
//# column = 15
//# hint = 'use setTimeout; the globals here are `tools`, `console`, `setTimeout`, `clearTimeout`, `URL`, `URLSearchParams`, `TextEncoder`, `TextDecoder`, `atob`, `btoa`, `structuredClone`, `queueMicrotask`, `AbortController`, `AbortSignal`, `Event`, `EventTarget`, `DOMException` and the ECMAScript library'
const value = setInterval(() => {}, 1);
return 1;
