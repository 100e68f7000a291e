//# title = "a BigInt mixed with a number"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "cannot convert BigInt to number"
//# line = 11
//# column = 14
//# hint = "a BigInt and a number cannot be mixed: convert one with `Number(…)` or `BigInt(…)`"
const total: any = 10n;
return total + 1;
//# [correction]
//# group = "builtins"
//# why = "Operators do not convert between a BigInt and a number, because that could lose digits. Convert one of them."
//# program = '''
//# const total: any = 10n;
//# return Number(total) + 1;
//# '''
//# [correction.expect]
//# result = '11'
