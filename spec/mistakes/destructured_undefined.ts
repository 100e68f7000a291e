//# title = "undefined destructured"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "cannot destructure \"id\" of undefined: answer is undefined"
//# line = 10
//# column = 9
const answer: any = undefined;
const { id } = answer;
return id;
//# [correction]
//# group = "missing"
//# why = "Braces on the left side need an object on the right. Give an empty object where there may be none."
//# program = '''
//# const answer: any = undefined;
//# const { id = "none" } = answer ?? {};
//# return id;
//# '''
//# [correction.expect]
//# result = '"none"'
