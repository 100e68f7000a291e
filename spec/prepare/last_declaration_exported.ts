//# title = "a last statement that exports `result` gives its value, also above functions"
//# [expect]
//# result = '6'
const numbers = [1, 2, 3];
export const result = sum(numbers) as number // the last statement

function sum(list: number[]) { return list.reduce((a, b) => a + b, 0); }
