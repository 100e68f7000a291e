//# title = "a constant assigned"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "'total' is read-only"
//# line = 11
//# column = 43
//# hint = "declare `total` with `let` instead of `const`"
const total = 0;
for (const n of [1, 2]) (total as any) += n;
return total;
//# [correction]
//# group = "names"
//# why = "A `const` gets its value once. A variable that changes is declared with `let`."
//# program = '''
//# let total = 0;
//# for (const n of [1, 2]) total += n;
//# return total;
//# '''
//# [correction.expect]
//# result = '3'
