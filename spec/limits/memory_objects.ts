//# title = "uncaught out-of-memory is MEMORY: objects"
//# limits = { memory = "4MiB" }
//# [expect]
//# [expect.error]
//# code = "MEMORY"
//# name = 'MemoryLimitError'
//# message = 'the program needed more than 4 MiB of memory'
//# line = 12
//# column = 14
//# details = { limit = 4194304 }
const all = [];
for (;;) all.push({ a: 1 });
