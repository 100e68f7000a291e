//# title = "a promise resolved with a chain of a hundred thousand promises takes no stack"
//# [expect]
//# result = '7'
let chain = Promise.resolve(7);
for (let i = 0; i < 100_000; i++) { const before = chain; chain = new Promise((resolve) => resolve(before)); }
return await chain;
