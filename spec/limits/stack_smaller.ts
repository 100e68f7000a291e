//# title = "the stack limit can be lowered"
//# limits = { stack = "32KiB" }
//# [expect]
//# [expect.error]
//# code = "STACK"
//# name = 'RangeError'
//# message = 'the program needed more than 32 KiB of stack'
//# line = 11
//# column = 28
//# details = { limit = 32768 }
const deep = (): number => deep() + 1;
return deep();
