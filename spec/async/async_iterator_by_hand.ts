//# title = "for await reads a Symbol.asyncIterator of one's own"
//# [expect]
//# result = '[0,1,2]'
let i = 0;
const source = { [Symbol.asyncIterator]: () => ({ next: async () => ({ value: i, done: i++ >= 3 }) }) };
const seen = [];
for await (const n of source) seen.push(n);
return seen;
