//# title = "uncaught stack overflow is STACK"
//# [expect]
//# [expect.error]
//# code = "STACK"
//# name = 'RangeError'
//# message = 'the program needed more than 512 KiB of stack'
//# line = 10
//# column = 37
//# details = { limit = 524288 }
const deep = (n: number): number => deep(n + 1) + 1;
return deep(0);
