//# title = "a bracket that is missing"
//# tools = "demo"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = "expected `,` or `]` but found `;`"
//# line = 9
//# column = 19
const list = [1, 2;
return list;
