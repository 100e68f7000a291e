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
