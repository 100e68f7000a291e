//# title = "a function body with top-level await and return is a program"
//# [expect]
//# result = '21'
const n = await Promise.resolve(20);
return n + 1;
