//# title = "spreading what is not iterable is a TypeError"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = 'x is not iterable: x is a number'
//# line = 9
//# column = 12
const x: any = 5;
return [...x];
