//# title = "a path that is too long is shown in part"
//# tools = "demo"
//# [expect]
//# calls = [["abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij", "failed"]]
//# [expect.error]
//# code = "UNKNOWN_TOOL"
//# name = "UnknownToolError"
//# message = 'unknown tool: `abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abcdefghij.abc…`'
//# line = 13
//# column = 7
let t: any = tools;
for (let i = 0; i < 40; i++) t = t.abcdefghij;
await t({});
