//# title = "a name that does not exist"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = "customer is not defined"
//# line = 10
//# column = 8
//# hint = "the globals here are `tools`, `console`, `require` and the usual ones of Node.js: timers, `URL`, `Buffer`, `crypto`, `structuredClone`, `TextEncoder`, `AbortController`, `Headers`, `Blob`, `process` and the like"
return customer.name;
//# [correction]
//# group = "names"
//# why = "Nothing in the program declares the name, and it is no global. Often the value has another name, or was to come from a call."
//# program = '''
//# const customer: any = await tools.demo.echo({ name: "Ann" });
//# return customer.name;
//# '''
//# [correction.expect]
//# result = '"Ann"'
//# calls = [["demo.echo", "applied"]]
