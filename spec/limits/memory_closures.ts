//# title = "uncaught out-of-memory is MEMORY: closures"
//# limits = { memory = "4MiB" }
//# [expect]
//# [expect.error]
//# code = "MEMORY"
//# name = 'MemoryLimitError'
//# message = 'the program needed more than 4 MiB of memory'
//# line = 11
//# column = 38
const all = [];
for (;;) { const n = all.length; all.push(() => n); }
