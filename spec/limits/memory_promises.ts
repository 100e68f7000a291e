//# title = "uncaught out-of-memory is MEMORY: promises that wait for each other"
//# limits = { memory = "4MiB" }
//# [expect]
//# [expect.error]
//# code = "MEMORY"
//# name = 'MemoryLimitError'
//# message = 'the program needed more than 4 MiB of memory'
//# line = 11
//# column = 1
let chain = new Promise(() => {});
for (;;) chain = chain.then(() => 1);
