//# title = "undefined parsed"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "SyntaxError"
//# message = "unexpected token: 'undefined'"
//# line = 11
//# column = 13
//# hint = "the value is undefined: check it before `JSON.parse`"
const answer: any = {};
return JSON.parse(answer.body);
