//# title = "the first element of a missing list"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "cannot read \"0\" of undefined: result.rows is undefined"
//# line = 10
//# column = 19
const result: any = {};
return result.rows[0];
//# [correction]
//# group = "missing"
//# why = "The list is not there, so it has no first element. `?.[0]` gives `undefined` instead of an error."
//# program = '''
//# const result: any = {};
//# return result.rows?.[0] ?? "none";
//# '''
//# [correction.expect]
//# result = '"none"'
