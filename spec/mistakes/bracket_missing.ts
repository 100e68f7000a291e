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
//# [correction]
//# group = "syntax"
//# why = "A list that is opened with `[` ends with `]`. The message names the place where the bracket was expected."
//# program = '''
//# const list = [1, 2];
//# return list;
//# '''
//# [correction.expect]
//# result = '[1,2]'
