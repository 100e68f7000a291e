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
