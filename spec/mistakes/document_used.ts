//# title = "the page of a browser"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = "document is not defined"
//# line = 10
//# column = 8
//# hint = "this is not a browser; the globals here are `tools`, `console`, `require` and the usual ones of Node.js: timers, `URL`, `Buffer`, `crypto`, `structuredClone`, `TextEncoder`, `AbortController`, `Headers`, `Blob`, `process` and the like"
return document.title;
//# [correction]
//# group = "absent"
//# why = "A program does not run in a browser, so there is no page. Read the data from a tool."
//# program = '''
//# const page: any = await tools.demo.echo({ title: "Report" });
//# return page.title;
//# '''
//# [correction.expect]
//# result = '"Report"'
//# calls = [["demo.echo", "applied"]]
