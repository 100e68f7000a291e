//# title = "a promise resolved with a chain of twenty thousand promises takes no stack"
//# [expect]
//# result = '7'
let chain = Promise.resolve(7);
for (let i = 0; i < 20_000; i++) { const before = chain; chain = new Promise((resolve) => resolve(before)); }
return await chain;
