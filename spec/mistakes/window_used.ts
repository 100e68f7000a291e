//# title = "the window of a browser"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = "window is not defined"
//# line = 10
//# column = 8
//# hint = "this is not a browser; the globals here are `tools`, `console`, `require` and the usual ones of Node.js: timers, `URL`, `Buffer`, `crypto`, `structuredClone`, `TextEncoder`, `AbortController`, `Headers`, `Blob`, `process` and the like"
return window.location.href;
//# [correction]
//# group = "absent"
//# why = "A program does not run in a browser. It takes the address from a tool or from its own text."
//# program = '''
//# return new URL("https://example.com/a?b=1").href;
//# '''
//# [correction.expect]
//# result = '"https://example.com/a?b=1"'
