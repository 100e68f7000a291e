//# title = "spreading what is not iterable is a TypeError"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = 'value is not iterable'
//# line = 9
//# column = 12
const x: any = 5;
return [...x];
