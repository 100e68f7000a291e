//# title = "a promise that resolves with itself is a TypeError"
//# [expect]
//# result = '"TypeError"'
let resolve: any;
const promise = new Promise((r) => { resolve = r; });
resolve(promise);
return await promise.catch((error) => error.name);
