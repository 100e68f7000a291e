//# title = "an object method on a Map"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "counts.map is not a function: counts is a Map"
//# line = 10
//# column = 15
const counts: any = new Map([["a", 1]]);
return counts.map(([key]) => key);
//# [correction]
//# group = "kinds"
//# why = "A `Map` has no methods of lists. Make a list of its keys, values or entries."
//# program = '''
//# const counts: any = new Map([["a", 1]]);
//# return [...counts].map(([key]) => key);
//# '''
//# [correction.expect]
//# result = '["a"]'
