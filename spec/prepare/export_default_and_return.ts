//# title = "export default and a return at the top contradict each other"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = '`return` stands outside of any function'
//# line = 10
//# column = 1
//# hint = 'a program with `export default` gives its result through that function'
export default 1;
return 2;
