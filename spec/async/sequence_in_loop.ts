//# title = "await in a loop is one after the other"
//# [expect]
//# result = '[3,1,2]'
const seen = [];
for (const n of [3, 1, 2]) seen.push(await Promise.resolve(n));
return seen;
