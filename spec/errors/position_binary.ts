//# title = "an error of an operator has the place of the operator"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = 'cannot convert BigInt to number'
//# line = 11
//# column = 7
const big = 1n;
const one: any = 1;
return (
  big +
  one
);
