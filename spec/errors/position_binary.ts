//# title = "an error of an operator has the line of its operands"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = 'cannot convert BigInt to number'
//# line = 12
//# column = 3
const big = 1n;
const one: any = 1;
return (
  big +
  one
);
