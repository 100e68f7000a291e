//# title = "out-of-memory between the steps of an async program is MEMORY"
//# [expect]
//# [expect.error]
//# code = "MEMORY"
//# name = 'MemoryLimitError'
//# message = 'the program needed more than 64 MiB of memory'
let chain = Promise.resolve(7);
for (let i = 0; i < 100_000; i++) { const before = chain; chain = new Promise((resolve) => resolve(before)); }
return await chain;
