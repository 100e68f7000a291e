//# title = "a property called that is not a function"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "config.retries is not a function: it is a number"
//# line = 10
//# column = 15
const config: any = { retries: 3 };
return config.retries();
//# [correction]
//# group = "kinds"
//# why = "The property is a number, not a function. Read it without brackets."
//# program = '''
//# const config: any = { retries: 3 };
//# return config.retries;
//# '''
//# [correction.expect]
//# result = '3'
