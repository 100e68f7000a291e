//# title = "undefined spread into a list"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "more is not iterable: more is undefined"
//# line = 10
//# column = 15
const more: any = undefined;
return [1, ...more];
//# [correction]
//# group = "missing"
//# why = "`...` in a list needs a list. Give an empty one where there may be none."
//# program = '''
//# const more: any = undefined;
//# return [1, ...(more ?? [])];
//# '''
//# [correction.expect]
//# result = '[1]'
