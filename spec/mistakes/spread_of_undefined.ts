//# title = "undefined spread into a list"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "more is not iterable: more is undefined"
//# line = 10
//# column = 15
const more: any = undefined;
return [1, ...more];
