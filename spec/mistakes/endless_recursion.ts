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
//# [correction]
//# group = "builtins"
//# why = "Each call of a function takes stack until it returns. A recursion needs a case in which it ends."
//# program = '''
//# const depth = (n: number): number => (n >= 100 ? 0 : depth(n + 1) + 1);
//# return depth(0);
//# '''
//# [correction.expect]
//# result = '100'
