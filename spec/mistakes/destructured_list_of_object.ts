//# title = "an object destructured as a list"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "pair is not iterable: pair is an object; use Object.entries, Object.keys or Object.values"
//# line = 10
//# column = 7
const pair: any = { a: 1 };
const [first] = pair;
return first;
//# [correction]
//# group = "kinds"
//# why = "`[first]` takes elements from a list. An object is taken apart with `{ name }`, or as a list with `Object.values`."
//# program = '''
//# const pair: any = { a: 1 };
//# const [first] = Object.values(pair);
//# return first;
//# '''
//# [correction.expect]
//# result = '1'
