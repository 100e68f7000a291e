//# title = "uncaught out-of-memory is MEMORY: a map"
//# limits = { memory = "4MiB" }
//# [expect]
//# [expect.error]
//# code = "MEMORY"
//# name = 'MemoryLimitError'
//# message = 'the program needed more than 4 MiB of memory'
//# line = 11
//# column = 1
const map = new Map();
for (let i = 0; ; i++) map.set(i, i);
