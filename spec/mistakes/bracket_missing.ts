//# title = "a bracket that is missing"
//# tools = "demo"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = "expected `,` or `]` but found `;`"
//# line = 10
//# column = 19
//# hint = "the `[` at line 1, column 14 is never closed"
const list = [1, 2;
return list;
