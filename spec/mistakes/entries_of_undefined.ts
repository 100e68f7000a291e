//# title = "the entries of undefined"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "cannot convert undefined to object: entries needs one"
//# line = 10
//# column = 15
const counts: any = undefined;
return Object.entries(counts);
//# [correction]
//# group = "missing"
//# why = "`Object.entries`, `Object.keys` and `Object.values` need an object. Give an empty object where there may be none."
//# program = '''
//# const counts: any = undefined;
//# return Object.entries(counts ?? {});
//# '''
//# [correction.expect]
//# result = '[]'
