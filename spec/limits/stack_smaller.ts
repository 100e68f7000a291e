//# title = "the stack limit can be lowered"
//# limits = { stack = "32KiB" }
//# [expect]
//# [expect.error]
//# code = "STACK"
//# name = 'RangeError'
//# message = 'the program needed more than 32 KiB of stack'
//# line = 11
//# column = 37
//# details = { limit = 32768 }
const deep = (n: number): number => deep(n + 1) + 1;
return deep(0);
