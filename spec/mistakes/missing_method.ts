//# title = "a method that does not exist"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "(list).contains is not a function: list is an array"
//# line = 10
//# column = 22
const list = [1, 2];
return (list as any).contains(2);
//# [correction]
//# group = "kinds"
//# why = "Lists of JavaScript have `includes`, not `contains`."
//# program = '''
//# const list = [1, 2];
//# return list.includes(2);
//# '''
//# [correction.expect]
//# result = 'true'
