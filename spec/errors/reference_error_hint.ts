//# title = "a ReferenceError hints at the globals there are"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = 'missingName is not defined'
//# line = 9
//# column = 8
//# hint = 'the globals here are `tools`, `console`, `setTimeout`, `clearTimeout`, `URL`, `URLSearchParams`, `TextEncoder`, `TextDecoder`, `atob`, `btoa`, `structuredClone`, `queueMicrotask`, `AbortController`, `AbortSignal`, `Event`, `EventTarget`, `DOMException` and the ECMAScript library'
return missingName + 1;
