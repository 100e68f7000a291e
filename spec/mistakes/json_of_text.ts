//# title = "text parsed that is not JSON"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "SyntaxError"
//# message = "Expected property name or '}' in JSON at position 2 (line 1 column 3)"
//# line = 10
//# column = 13
const text = "{ name: 'Ann' }";
return JSON.parse(text);
