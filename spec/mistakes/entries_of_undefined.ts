//# title = "the entries of undefined"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "cannot convert undefined to object: entries needs one"
//# line = 10
//# column = 15
const counts: any = undefined;
return Object.entries(counts);
