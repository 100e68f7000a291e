//# title = "null destructured in a parameter"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "cannot destructure \"id\" of null"
//# line = 9
//# column = 17
const show = ({ id }: any) => id;
return [null].map(show);
//# [correction]
//# group = "missing"
//# why = "A parameter with braces needs an object. Remove the missing values first."
//# program = '''
//# const show = ({ id }: any) => id;
//# return [null, { id: 7 }].filter((item) => item !== null).map(show);
//# '''
//# [correction.expect]
//# result = '[7]'
