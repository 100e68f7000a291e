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
//# [correction]
//# group = "missing"
//# why = "The property is missing, so there is no text to parse. Check it first."
//# program = '''
//# const answer: any = {};
//# return answer.body === undefined ? "none" : JSON.parse(answer.body);
//# '''
//# [correction.expect]
//# result = '"none"'
