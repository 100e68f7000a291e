//# title = "the storage of a browser"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = "localStorage is not defined"
//# line = 10
//# column = 1
//# hint = "this is not a browser; the globals here are `tools`, `console`, `require` and the usual ones of Node.js: timers, `URL`, `Buffer`, `crypto`, `structuredClone`, `TextEncoder`, `AbortController`, `Headers`, `Blob`, `process` and the like"
localStorage.setItem("a", "1");
return 1;
//# [correction]
//# group = "absent"
//# why = "A program does not run in a browser, and keeps nothing after it ends. Return the value, or store it with a tool."
//# program = '''
//# const stored = new Map([["a", "1"]]);
//# return Object.fromEntries(stored);
//# '''
//# [correction.expect]
//# result = '{"a":"1"}'
