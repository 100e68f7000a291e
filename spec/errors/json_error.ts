//# title = "JSON that does not parse is a SyntaxError that was thrown"
//# [expect.error]
//# code = "THROWN"
//# name = "SyntaxError"
//# message = "Expected property name or '}' in JSON at position 2 (line 1 column 3)"
//# line = 9
//# column = 13
const text = "{ bad";
return JSON.parse(text);
