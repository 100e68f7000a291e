//# title = "uncaught stack overflow is STACK"
//# [expect]
//# [expect.error]
//# code = "STACK"
//# name = 'RangeError'
//# message = 'the program needed more than 512 KiB of stack'
//# line = 10
//# column = 28
//# details = { limit = 524288 }
const deep = (): number => deep() + 1;
return deep();
