//# title = "for await stands at the top"
//# [expect]
//# result = '[1,2]'
const seen = [];
for await (const n of [Promise.resolve(1), 2]) seen.push(n);
return seen;
