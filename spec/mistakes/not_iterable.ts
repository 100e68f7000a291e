//# title = "a loop over an object"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "scores is not iterable: scores is an object; use Object.entries, Object.keys or Object.values"
//# line = 11
//# column = 21
const scores: any = { ann: 1, bob: 2 };
let sum = 0;
for (const score of scores) sum += score;
return sum;
//# [correction]
//# group = "kinds"
//# why = "`for … of` goes through lists. Go through the values of an object with `Object.values`."
//# program = '''
//# const scores: any = { ann: 1, bob: 2 };
//# let sum = 0;
//# for (const score of Object.values<number>(scores)) sum += score;
//# return sum;
//# '''
//# [correction.expect]
//# result = '3'
