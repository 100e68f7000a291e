//# title = "JSON that does not parse is a SyntaxError that was thrown"
//# [expect.error]
//# code = "THROWN"
//# name = "SyntaxError"
//# message = '?'
//# line = 9
//# column = 13
const text = "{ bad";
return JSON.parse(text);
