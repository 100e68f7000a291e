//# title = "random numbers come from the recorded seed alone"
//# tools = "demo"
//# seed = 7
//# [expect]
//# result = 'true'
const numbers = Array.from({ length: 100 }, () => Math.random());
return numbers.every((number) => number >= 0 && number < 1) && new Set(numbers).size === 100;
