//# title = "a recursion that does not end"
//# tools = "demo"
//# [expect.error]
//# code = "STACK"
//# name = "RangeError"
//# message = "the program needed more than 512 KiB of stack"
//# line = 10
//# column = 38
//# hint = "look for a recursion that does not end, or use a loop"
const depth = (n: number): number => depth(n + 1) + 1;
return depth(0);
