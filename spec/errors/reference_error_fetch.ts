//# title = "fetch is a ReferenceError with a hint of its own"
//# differsFromNode = "Node has it"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = 'fetch is not defined'
//# line = 10
//# column = 21
//# hint = 'there is no network here; call a tool instead; the globals here are `tools`, `console`, `setTimeout`, `clearTimeout`, `URL`, `URLSearchParams`, `TextEncoder`, `TextDecoder`, `atob`, `btoa`, `structuredClone`, `queueMicrotask`, `AbortController`, `AbortSignal`, `Event`, `EventTarget`, `DOMException` and the ECMAScript library'
const value = await fetch("https://example.com");
return 1;
