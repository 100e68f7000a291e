//# title = "a list method on a promise"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "numbers.map is not a function: numbers is a Promise; await it first"
//# line = 10
//# column = 16
const numbers: any = Promise.resolve([1, 2]);
return numbers.map((n) => n);
//# [correction]
//# group = "promises"
//# why = "A promise is not the list that it will give. Await it."
//# program = '''
//# const numbers: any = await Promise.resolve([1, 2]);
//# return numbers.map((n) => n);
//# '''
//# [correction.expect]
//# result = '[1,2]'
