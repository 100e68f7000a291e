//# title = "JSX is refused with a hint"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = 'unterminated regular expression'
//# line = 10
//# column = 8
//# hint = 'JSX is not available: build strings or plain objects'
const name = "x";
return <b>hello</b>;
