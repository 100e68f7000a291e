//# title = "uncaught out-of-memory is MEMORY: a huge number"
//# limits = { memory = "4MiB" }
//# [expect]
//# [expect.error]
//# code = "MEMORY"
//# name = 'MemoryLimitError'
//# message = 'the program needed more than 4 MiB of memory'
//# line = 11
//# column = 1
let n = 1n;
for (;;) n = (n << 100000n) + 1n;
