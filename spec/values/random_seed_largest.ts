//# title = "the largest seed gives numbers like others"
//# seed = 9223372036854775807
//# [expect]
//# result = '[1000,true,true]'
const numbers = Array.from({ length: 1000 }, () => Math.random());
return [new Set(numbers).size, numbers.every((n) => n >= 0 && n < 1), Math.abs(numbers.reduce((a, b) => a + b) / 1000 - 0.5) < 0.05];
