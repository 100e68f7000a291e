//# title = "a request over the network"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = "fetch is not defined"
//# line = 10
//# column = 24
//# hint = "there is no network here; call a tool instead; the globals here are `tools`, `console`, `require` and the usual ones of Node.js: timers, `URL`, `Buffer`, `crypto`, `structuredClone`, `TextEncoder`, `AbortController`, `Headers`, `Blob`, `process` and the like"
const response = await fetch("https://example.com");
return response.status;
//# [correction]
//# group = "absent"
//# why = "A program has no network. Call the tool that makes the request."
//# program = '''
//# const weather = await tools.weather.current({ city: "Rome" });
//# return weather.celsius;
//# '''
//# [correction.expect]
//# result = '21'
//# calls = [["weather.current", "applied"]]
