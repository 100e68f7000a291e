//# title = "a list method on a text"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "customers.map is not a function: customers is a string"
//# line = 10
//# column = 18
const customers: any = "Ann, Bob";
return customers.map((name) => name.trim());
//# [correction]
//# group = "kinds"
//# why = "A text is not a list, even if it lists something. Split it first."
//# program = '''
//# const customers: any = "Ann, Bob";
//# return customers.split(",").map((name) => name.trim());
//# '''
//# [correction.expect]
//# result = '["Ann","Bob"]'
