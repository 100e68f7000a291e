//# title = "recursion through a getter is STACK"
//# [expect]
//# [expect.error]
//# code = "STACK"
//# name = 'RangeError'
//# message = 'the program needed more than 512 KiB of stack'
//# line = 9
//# column = 45
const object = { get a(): any { return this.a; } };
return object.a;
