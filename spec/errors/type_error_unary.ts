//# title = "an error of a sign has the place of the sign"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "bigint argument with unary +"
//# line = 9
//# column = 12
const big: any = 1n;
return 1 - +big;
