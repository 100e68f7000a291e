//# title = "an operator behind a type assertion takes all of its operand"
//# [expect]
//# result = '[4,8,64,6]'
const x: any = 3;
return [1 + 1 as number * 2, 1 + x as any * 2, 2 ** 2 as any ** 3, 1 < x as any + 5];
