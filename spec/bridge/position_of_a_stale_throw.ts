//# title = "a rejection with a plain value has no position, or its own, but not that of another throw"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'Error'
//# message = '1'
try { throw 1; } catch {}
await null;
await Promise.reject(1);
