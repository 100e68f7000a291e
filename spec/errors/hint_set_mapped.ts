//# title = "a method of arrays called on a Set has a hint"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "ids.map is not a function: ids is a Set"
//# line = 10
//# column = 12
//# hint = 'make it an array first: `[...values]`'
const ids: any = new Set([1, 2]);
return ids.map((id) => id + 1);
