//# title = "reduce of an empty list without a first value"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "an empty array needs an initial value to be reduced"
//# line = 10
//# column = 16
const amounts: number[] = [];
return amounts.reduce((a, b) => a + b);
//# [correction]
//# group = "builtins"
//# why = "`reduce` without a first value starts with the first element, and an empty list has none. Give a first value."
//# program = '''
//# const amounts: number[] = [];
//# return amounts.reduce((a, b) => a + b, 0);
//# '''
//# [correction.expect]
//# result = '0'
