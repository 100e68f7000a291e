//# title = "facts stay when the program fails later"
//# tools = "demo"
//# [expect]
//# facts = '{"before":1,"left":[true]}'
//# [expect.error]
//# code = "THROWN"
//# name = 'Error'
//# message = 'boom'
//# line = 13
//# column = 7
codemode.fact("before", 1);
globalThis.facts = { left: [true] };
throw new Error("boom");
